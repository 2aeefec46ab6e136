// ResourceMapper: finds the resource that the server serves for a name that people use ("deploy", "deployments",
// "Deployment", "deployments.v1.apps"), and lists all resources for command-line completion. Reads /api and /apis once,
// by aggregated discovery (KEP-3352), or the list of each group-version if the server lacks it (before 1.26).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"

namespace smp::kube {

struct ServedResource {
  // The type, and whether it takes strategic merge patches, are not set: they come from the OpenAPI document.
  Resource resource;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;

  std::string FullName() const;  // "deployments.apps", "pods"
};

class ResourceMapper {
 public:
  explicit ResourceMapper(Client* client) : client_(client) {}  // not owned

  // Searches by kubectl's rules: short names first, then plurals, singulars and kinds in any case. A group, or a prefix
  // of it, may follow after a dot, with a version in between. If several match, the first group in the server's order
  // wins, and its preferred version. Error: not-found, in kubectl's words: the server doesn't have a resource type "x".
  Result<ServedResource> Find(const std::string& text);

  // Returns the resources of all versions in the server's order: the core group first, and the preferred version first
  // within a group.
  Result<std::vector<ServedResource>> All();

 private:
  Status Load();
  Status Add(const std::string& path);

  Client* client_;
  bool loaded_ = false;
  std::vector<ServedResource> resources_;
};

}  // namespace smp::kube
