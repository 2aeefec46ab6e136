// ResourceMapper: finds the server's resource for a name that a user typed ("deploy", "deployments", "Deployment",
// "deployments.v1.apps"), and lists all resources for command-line completion. Reads /api and /apis once with
// aggregated discovery (KEP-3352); from servers without it (before 1.26), one list per group-version.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"

namespace smp::kube {

struct ServedResource {
  // Resource::type and Resource::strategic are not set: only the OpenAPI document has them.
  Resource resource;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;
};

class ResourceMapper {
 public:
  explicit ResourceMapper(Client* client) : client_(client) {}  // not owned

  // Searches by kubectl's rules: short names first, then plurals, singulars and kinds in any case. NAME.GROUP and
  // NAME.VERSION.GROUP work, too; a prefix of the group is enough. If several match, the first in the order of All()
  // wins. Error: not-found, with kubectl's wording: the server doesn't have a resource type "x".
  Result<ServedResource> Find(const std::string& text);

  // Returns the resources of all versions, in the server's order: the core group first, in each group the preferred
  // version first.
  Result<std::vector<ServedResource>> All();

 private:
  Status Load();
  Status Add(const std::string& path);

  Client* client_;
  bool loaded_ = false;
  std::vector<ServedResource> resources_;
};

}  // namespace smp::kube
