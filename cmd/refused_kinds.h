// What CRDs and Namespaces of the input bring, if they are not sent, or the server refuses them: the objects that need them meet the
// server as it is.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "apply/manifests.h"
#include "base/result.h"
#include "explain/report.h"
#include "schema/schema.h"

namespace smp::cmd {

class RefusedKinds {
 public:
  // Notes the kinds of the manifest, if it is a CRD whose report is an error.
  void Note(const apply::Manifest& manifest, const explain::ObjectReport& report);

  // Returns true if the input's CRD for the kind of the manifest will not be there.
  bool Has(const Result<apply::Manifest>& manifest) const {
    return manifest.ok() && why_.contains({manifest->gvk.group, manifest->gvk.kind});
  }

  // Returns the error of an object for whose kind Has holds, with its reason if the server does not have the kind.
  Error Explained(Error error, const GroupVersionKind& kind) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string_view> why_;  // by group and kind
};

// Returns the CRDs that come behind an object of theirs, and the Namespaces that come behind an object in them. `name_space`: of
// manifests without one.
apply::Manifests LateDefinitions(const apply::Manifests& manifests, const std::string& name_space);

}  // namespace smp::cmd
