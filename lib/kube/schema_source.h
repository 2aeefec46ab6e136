// SchemaSource: the schema of a group-version from the server, fetched and compiled once per run, and over runs once
// for each hash that the server's index states (schema_cache.h): from /openapi/v3, or, where the server has none
// (before 1.24), from /openapi/v2, once for each ETag. A kind that no document knows yet (an aggregated API without
// OpenAPI, a CustomResourceDefinition established a second ago) is looked up in /apis/GROUP/VERSION: then nothing is
// known of its fields, and it is patched by JSON merge patch. Safe to use from several threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/loaded_once.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/schema_cache.h"
#include "schema/schema.h"

namespace smp::kube {

class SchemaSource {
 public:
  explicit SchemaSource(Client* client, std::optional<SchemaCache> cache = std::nullopt)
      : client_(client), cache_(std::move(cache)) {}

  // What is known of the kind's group-version (with v2: of all). Error not-found when the server serves no such
  // group-version.
  Result<std::shared_ptr<const Schema>> Get(const GroupVersionKind& gvk);
  // The resource of a kind. Error not-found in kubectl's words: no matches for kind "X" in version "g/v".
  Result<Resource> FindResource(const GroupVersionKind& gvk);
  // Nothing could be asked, and it would be so for the next kind: no connection, or nobody who may log in. The error of
  // the first call is that of all.
  bool unreachable() const;
  // From now on `schema` answers for the kinds that it knows, instead of the server's documents; others are looked up
  // by discovery (--openapi-patch=false). REQUIRES: nothing was asked yet.
  void AnswerFrom(std::shared_ptr<const Schema> schema) { given_ = std::move(schema); }
  // Forget what is known of a group-version (a CRD was just created).
  void Forget(const std::string& api_version);

 private:
  using SchemaPtr = std::shared_ptr<const Schema>;

  // What the server publishes.
  struct Index {
    std::map<std::string, std::string> paths;  // "apis/apps/v1" → "/openapi/v3/apis/apps/v1?hash=…"
    SchemaPtr v2;                              // of all kinds, where the server has no v3; else nullptr
  };
  using IndexPtr = std::shared_ptr<const Index>;

  Result<IndexPtr> LoadIndex();
  Result<IndexPtr> FetchIndex();
  Result<SchemaPtr> FetchV2();
  Result<SchemaPtr> Published(const GroupVersionKind& gvk);
  Result<SchemaPtr> Fetch(const std::string& path);
  Result<SchemaPtr> FetchMoved(const std::string& path);
  Result<SchemaPtr> Discovered(const GroupVersionKind& gvk);

  Client* client_;  // not owned
  std::optional<SchemaCache> cache_;
  SchemaPtr given_;  // by AnswerFrom; nullptr: nothing
  mutable std::mutex mutex_;
  std::optional<Error> unreachable_;  // guarded by mutex_
  LoadedOnce<IndexPtr> index_;        // by kIndexPath
  LoadedOnce<SchemaPtr> schemas_;     // by key of the index
  LoadedOnce<SchemaPtr> discovered_;  // by the same
};

}  // namespace smp::kube
