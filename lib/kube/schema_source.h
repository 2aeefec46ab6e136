// SchemaSource: the schema of a group-version from the server, fetched and compiled once per run: from /openapi/v3, or,
// where the server has none (before 1.24), from /openapi/v2. Safe to use from several threads.
#ifndef SMP_KUBE_SCHEMA_SOURCE_H_
#define SMP_KUBE_SCHEMA_SOURCE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"

namespace smp {

class SchemaSource {
 public:
  explicit SchemaSource(Client* client) : client_(client) {}

  // The compiled document of the kind's group-version (with v2: of all). Error not-found when the server serves no such
  // group-version.
  Result<std::shared_ptr<const Schema>> Get(const GroupVersionKind& gvk);
  // The resource of a kind. Error not-found in kubectl's words: no matches for kind "X" in version "g/v".
  Result<Resource> FindResource(const GroupVersionKind& gvk);
  // Forget what is known of a group-version (a CRD was just created).
  void Forget(const std::string& api_version);

 private:
  Status LoadIndex();
  Status LoadV2();

  Client* client_;  // not owned
  std::mutex mutex_;
  bool have_index_ = false;
  std::map<std::string, std::string> index_;  // "apis/apps/v1" → "/openapi/v3/apis/apps/v1?hash=…"
  std::map<std::string, std::shared_ptr<const Schema>> schemas_;
  std::shared_ptr<const Schema> v2_;  // nullptr: the server has v3
};

}  // namespace smp

#endif  // SMP_KUBE_SCHEMA_SOURCE_H_
