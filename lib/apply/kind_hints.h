// Says what to do about a kind that the server does not have, instead of "ensure CRDs are installed first".
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"

namespace smp::apply {

// Thread-safe.
class KindHints {
 public:
  explicit KindHints(kube::Client& client) : client_(client) {}  // must outlive it

  // Remembers the kinds of a CRD that could not be applied.
  void AddFailed(const Manifest& definition);

  // Returns the error of an object of this kind. If the server does not have the kind, its advice says that the CRD failed
  // above; or, and then its code is schema, which version or group has the kind, or which kind has a similar name. Asks the
  // server for its kinds once.
  Error Explained(Error error, const GroupVersionKind& gvk);

 private:
  std::string FailedDefinition(const GroupVersionKind& gvk);
  std::string OtherKind(const GroupVersionKind& gvk);
  const std::vector<GroupVersionKind>& Served();

  kube::Client& client_;
  std::mutex mutex_;
  std::map<GroupVersionKind, std::string> failed_;  // by kind: the label of its CRD
  bool read_ = false;
  std::vector<GroupVersionKind> served_;  // empty if the server does not say
};

// Returns what is known about an unknown kind by the kinds that are served: `Deployment is in apps/v1`,
// `did you mean "Deployment"?`; "" if nothing is.
std::string HintForKind(const GroupVersionKind& gvk, const std::vector<GroupVersionKind>& served);

}  // namespace smp::apply
