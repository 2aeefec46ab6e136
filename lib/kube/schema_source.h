// SchemaSource: the server's schema of a group-version. Fetched from /openapi/v3, or from /openapi/v2 if the server has
// no v3 (before 1.24), and compiled once per run; with a cache, only when its hash or ETag changes (schema_cache.h). A
// kind that is in no document (of an aggregated API without OpenAPI, or a CustomResourceDefinition established a second
// ago) is looked up in /apis/GROUP/VERSION: its fields are then unknown, and it is patched by JSON merge patch.
// Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/loaded_once.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/schema_cache.h"
#include "schema/schema.h"

namespace smp::kube {

// kubectl's advice about a kind that the server does not have, at the end of the error of FindResource.
inline constexpr std::string_view kEnsureCrds = "\nensure CRDs are installed first";

// Returns that error: not-found, `no matches for kind "X" in version "g/v"`, with kEnsureCrds.
Error NoMatches(const GroupVersionKind& gvk);

class SchemaSource {
 public:
  explicit SchemaSource(Client* client, std::optional<SchemaCache> cache = std::nullopt)
      : client_(client), cache_(std::move(cache)) {}

  // Returns the schema of the kind's group-version (from v2: of all group-versions). Error: not-found, if the server
  // has no such group-version.
  Result<std::shared_ptr<const Schema>> Get(const GroupVersionKind& gvk);
  // Returns the resource of a kind. Error: not-found, with kubectl's wording: no matches for kind "X" in version "g/v".
  Result<Resource> FindResource(const GroupVersionKind& gvk);
  // Returns the resource as an earlier run saw it, without asking the server, which may have changed it since; nullopt if none is
  // known.
  std::optional<Resource> Guess(const GroupVersionKind& gvk);
  // Returns the schema that the CRD of a custom resource states now, with its resource: the published one lags behind a
  // change of the CRD. Empty if there is no CRD, or after AnswerFrom. Read once until Forget. Error: forbidden, if the CRD
  // may not be read.
  Result<std::shared_ptr<const Schema>> Defined(const Resource& resource);
  // Returns true if the server has no OpenAPI v3 (before 1.24). What v2 lacks: schema/openapi_v2.h.
  bool ReadsV2();
  // Returns the CRD of a custom resource; nullptr if there is none. Read once until Forget. Error: forbidden, if it may not be read;
  // server, ….
  Result<std::shared_ptr<const Document>> Definition(const Resource& resource);
  // Returns true if the server lists the group in other versions, too.
  bool HasOtherVersions(const GroupVersionKind& gvk);
  // Returns true after a connection or login (401) failure that would also affect every other kind. All later calls
  // return the error of the first one.
  bool unreachable() const;
  // Uses `schema` instead of the server's documents from now on; kinds that it lacks are looked up by discovery
  // (--openapi-patch=false). REQUIRES: Get and FindResource have not been called yet.
  void AnswerFrom(std::shared_ptr<const Schema> schema) { given_ = std::move(schema); }
  // Makes the next Get read the index and this group-version again, and Defined the CRD (a CRD was just written).
  void Forget(const std::string& api_version);

 private:
  using SchemaPtr = std::shared_ptr<const Schema>;

  // The OpenAPI documents that the server publishes.
  struct Index {
    std::map<std::string, std::string> paths;  // "apis/apps/v1" → "/openapi/v3/apis/apps/v1?hash=…"
    SchemaPtr v2;                              // schema of all kinds if the server has no v3, else nullptr
  };
  using IndexPtr = std::shared_ptr<const Index>;

  Result<IndexPtr> LoadIndex();
  Result<IndexPtr> FetchIndex();
  Result<SchemaPtr> FetchV2();
  Result<SchemaPtr> Published(const GroupVersionKind& gvk);
  Result<SchemaPtr> Fetch(const std::string& path, const GroupVersionKind& gvk);
  // Returns the schema of an earlier run, if it is of this document, with its hash; else nullptr.
  SchemaPtr Cached(const std::string& path);
  Result<SchemaPtr> Discovered(const GroupVersionKind& gvk);

  Client* client_;  // not owned
  std::optional<SchemaCache> cache_;
  SchemaPtr given_;  // set by AnswerFrom, else nullptr
  mutable std::mutex mutex_;
  std::optional<Error> unreachable_;                                    // guarded by mutex_
  std::map<std::string, std::optional<SchemaCache::Earlier>> earlier_;  // by path without hash; guarded by mutex_
  LoadedOnce<IndexPtr> index_;                                          // key: kIndexPath
  LoadedOnce<SchemaPtr> schemas_;                                       // key: IndexKey()
  LoadedOnce<SchemaPtr> discovered_;                                    // key: IndexKey()
  LoadedOnce<SchemaPtr> defined_;                                       // key: version/NAME of the CRD
  LoadedOnce<std::shared_ptr<const Document>> definitions_;             // key: NAME of the CRD
};

}  // namespace smp::kube
