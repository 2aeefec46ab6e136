// What new Pods need, and nobody has: they would wait for it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apply/copies.h"
#include "apply/manifests.h"
#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

kube::ObjectRef RefOf(const explain::NeededObject& needed, const std::string& name_space);

// Looks for what Pods refer to, each object once. Of Secrets only the metadata is read: managedFields have the names of
// their keys.
class MissingNeeds {
 public:
  // `name_space`: for manifests without one.
  MissingNeeds(kube::Client& client, const apply::Manifests& manifests, const std::string& name_space);

  // Asks the server for an object after all, as its manifest will not be sent. What AddTo has looked at before stays.
  void NotBrought(const apply::Manifest& manifest) { exists_.erase(IdentityOf(manifest)); }

  // Sets object.pods.missing if the object starts Pods. What may not be read counts as existing.
  void AddTo(explain::ObjectReport& object);

 private:
  void Ask(const explain::ObjectReport& object);
  // Before the schema is read, only the kind tells that an object belongs to no namespace.
  apply::Identity IdentityOf(const apply::Manifest& manifest) const;

  kube::Client& client_;
  const std::string name_space_;
  std::map<apply::Identity, bool> exists_;                 // what the input has, and what the server answered
  std::map<apply::Identity, std::set<std::string>> keys_;  // of what the server has; as far as managedFields name them
};

}  // namespace smp::cmd
