// Kinds that a CRD of the input would bring, if the server did not refuse the CRD: their objects cannot be created either.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "apply/manifests.h"
#include "apply/prepare.h"
#include "base/result.h"
#include "explain/report.h"
#include "schema/schema.h"

namespace smp::cmd {

class RefusedKinds {
 public:
  // Notes the kinds of the manifest, if it is a CRD whose report says that the server would refuse it. The kinds that the
  // server serves today stay. `brings`: as KindsToCome returned them.
  void Note(const std::vector<GroupVersionKind>& brings, const explain::ObjectReport& report);

  // Returns the error of an object whose kind does not come; nullopt if the kind does.
  std::optional<Error> ErrorOf(const Result<apply::Manifest>& manifest) const;

 private:
  std::set<GroupVersionKind> kinds_;
};

// Returns the kinds that a CRD brings, without those that the server serves today; none for other manifests, and for a CRD
// that could not be read.
std::vector<GroupVersionKind> KindsToCome(const Result<apply::Manifest>& manifest,
                                          const Result<apply::Prepared>& prepared);

// Returns the CRDs that come behind an object of theirs.
apply::Manifests LateDefinitions(const apply::Manifests& manifests);

}  // namespace smp::cmd
