// ResourceMapper: what people call a resource ("deploy", "deployments", "Deployment", "deployments.v1.apps") → the
// resource that the server serves, and all that it serves for who completes a command line. Asks /api and /apis once,
// by aggregated discovery (KEP-3352); of servers without it (before 1.26) the list of each group-version.
#ifndef SMP_KUBE_RESOURCE_MAPPER_H_
#define SMP_KUBE_RESOURCE_MAPPER_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"

namespace smp {

struct ServedResource {
  Resource resource;  // without its type and whether it takes strategic merge patches: that is for the OpenAPI document
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> verbs;

  std::string FullName() const;  // "deployments.apps", "pods"
};

class ResourceMapper {
 public:
  explicit ResourceMapper(Client* client) : client_(client) {}  // not owned

  // By kubectl's rules: short names first, then plurals, singulars and kinds in any case; with a group behind a dot,
  // exact or its beginning, and a version between. Of several the first group in the server's order, of its versions
  // the one that it prefers. Error not-found in kubectl's words: the server doesn't have a resource type "x".
  Result<ServedResource> Find(const std::string& text);

  // Of all versions, in the server's order: the core group first, of a group the preferred version first.
  Result<std::vector<ServedResource>> All();

 private:
  Status Load();
  Status Add(const std::string& path);

  Client* client_;
  bool loaded_ = false;
  std::vector<ServedResource> resources_;
};

}  // namespace smp

#endif  // SMP_KUBE_RESOURCE_MAPPER_H_
