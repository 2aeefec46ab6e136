#include "kube/schema_source.h"

#include "base/strings.h"
#include "schema/openapi.h"
#include "schema/openapi_v2.h"
#include "value/at.h"

namespace smp::kube {
namespace {

constexpr std::string_view kIndexPath = "/openapi/v3";
constexpr std::string_view kV2Path = "/openapi/v2";
constexpr int kMovedPermanently = 301;

// The key of the index: "api/v1", "apis/apps/v1".
std::string IndexKey(const std::string& api_version) {
  return (api_version.find('/') == api_version.npos ? "api/" : "apis/") + api_version;
}

Error NoMatches(const GroupVersionKind& gvk) {
  return Error::NotFound(StrCat("no matches for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(),
                                "\"\nensure CRDs are installed first"));
}

// The URL of a document below our own server, "" when it is none. A server behind a prefix puts the prefix into the
// URL, and the transport adds it again, so the URL counts from /openapi/v3 on.
std::string DocumentPath(std::string_view url) {
  const size_t at = url.find("/openapi/v3/");
  return at == url.npos ? std::string() : std::string(url.substr(at));
}

Result<std::map<std::string, std::string>> ReadIndex(const Value& root) {
  const Value* paths = root.Find("paths");
  if (paths == nullptr || !paths->is_object()) {
    return Error::Schema(StrCat("the server's ", kIndexPath, " lists no paths"));
  }
  std::map<std::string, std::string> index;
  for (const Member& member : paths->Members()) {
    std::string path = DocumentPath(member.value.StringOr("serverRelativeURL"));
    if (!path.empty()) index.emplace(member.name, std::move(path));
  }
  return index;
}

// The resources of an APIResourceList, of whose fields nothing is known. "widgets/status" is a subresource.
std::shared_ptr<const Schema> ToSchema(const Value& api_resource_list, const GroupVersionKind& group_version) {
  auto schema = std::make_shared<Schema>();
  for (const Value& entry : ItemsAt(api_resource_list, {"resources"})) {
    const std::string_view name = entry.StringOr("name");
    if (name.empty() || name.find('/') != name.npos) continue;
    Resource resource;
    resource.gvk = {group_version.group, group_version.version, std::string(entry.StringOr("kind"))};
    resource.plural = name;
    resource.namespaced = IsTrueAt(entry, {"namespaced"});
    schema->AddResource(resource);
  }
  return schema;
}

// A connection that had stood and broke is worth another try.
bool IsUnreachable(const Error& error) {
  constexpr int kUnauthorized = 401;
  return (error.code == ErrorCode::kTransport && error.reason != net::kConnectionReset) ||
         error.http_status == kUnauthorized;
}

// The not-found of v2 is not that of a kind: nothing at all can be looked up.
Error NoOpenApi(Error error) {
  if (error.code != ErrorCode::kNotFound) return error;
  error.code = ErrorCode::kServer;
  error.message = StrCat("the server publishes its schema neither at ", kIndexPath, " nor at ", kV2Path,
                         "; is it an API server? ", error.message);
  return error;
}

bool Knows(const Schema& schema, const GroupVersionKind& gvk) {
  return schema.FindResource(gvk) != nullptr || schema.FindType(gvk) != kNoType;
}

bool HasGroupVersion(const Schema& schema, const GroupVersionKind& gvk) {
  const auto first = schema.kinds().lower_bound({gvk.group, gvk.version, ""});
  return first != schema.kinds().end() && first->first.group == gvk.group && first->first.version == gvk.version;
}

}  // namespace

Result<SchemaSource::IndexPtr> SchemaSource::LoadIndex() {
  return index_.Get(std::string(kIndexPath), [this]() -> Result<IndexPtr> {
    {
      const std::lock_guard lock(mutex_);
      if (unreachable_) return *unreachable_;
    }
    return FetchIndex();
  });
}

Result<SchemaSource::IndexPtr> SchemaSource::FetchIndex() {
  const Result<Document> document = client_->GetRaw(std::string(kIndexPath));
  auto index = std::make_shared<Index>();
  if (document.ok()) {
    SMP_ASSIGN(index->paths, ReadIndex(document->root()));
  } else if (document.error().code == ErrorCode::kNotFound) {
    SMP_ASSIGN(index->v2, FetchV2());
  } else {
    const std::lock_guard lock(mutex_);
    if (IsUnreachable(document.error())) unreachable_ = document.error();
    return document.error();
  }
  return IndexPtr(std::move(index));
}

// Servers before 1.24 have one document for all kinds, of several MB.
Result<SchemaSource::SchemaPtr> SchemaSource::FetchV2() {
  const auto cached = cache_ ? cache_->LoadRevision(kV2Path) : std::nullopt;
  const Result<Revision> fetched = client_->GetRevision(std::string(kV2Path), cached ? cached->etag : "");
  if (!fetched.ok()) return NoOpenApi(fetched.error());
  if (!fetched->document) return cached->schema;
  SMP_ASSIGN(SchemaPtr schema, CompileOpenApiV2(fetched->document->root()));
  if (cache_) cache_->StoreRevision(kV2Path, fetched->etag, *schema);
  return schema;
}

// Of the kind's group-version; with v2, of all. nullptr: the server publishes none.
Result<SchemaSource::SchemaPtr> SchemaSource::Published(const GroupVersionKind& gvk) {
  if (given_ != nullptr) return Knows(*given_, gvk) ? given_ : SchemaPtr();
  const std::string key = IndexKey(gvk.ApiVersion());
  return schemas_.Get(key, [&]() -> Result<SchemaPtr> {
    SMP_ASSIGN(const IndexPtr index, LoadIndex());
    if (index->v2 != nullptr) return HasGroupVersion(*index->v2, gvk) ? index->v2 : SchemaPtr();
    const auto at = index->paths.find(key);
    return at == index->paths.end() ? SchemaPtr() : Fetch(at->second);
  });
}

Result<SchemaSource::SchemaPtr> SchemaSource::Fetch(const std::string& path) {
  if (cache_) {
    if (SchemaPtr cached = cache_->Load(path)) return cached;
  }
  Result<Document> document = client_->GetRaw(path);
  if (!document.ok() && document.error().http_status == kMovedPermanently) return FetchMoved(path);
  if (!document.ok()) return std::move(document).error();
  SMP_ASSIGN(SchemaPtr schema, CompileOpenApiV3(document->root()));
  if (cache_) cache_->Store(path, *schema);
  return schema;
}

// The document has another hash by now than the index said (a CustomResourceDefinition was just changed). The server
// redirects to it, and we follow no redirects: without a hash it answers with what there is.
Result<SchemaSource::SchemaPtr> SchemaSource::FetchMoved(const std::string& path) {
  SMP_ASSIGN(const Document document, client_->GetRaw(path.substr(0, path.find('?'))));
  return CompileOpenApiV3(document.root());
}

// Without resources if the server has no such group-version.
Result<SchemaSource::SchemaPtr> SchemaSource::Discovered(const GroupVersionKind& gvk) {
  const std::string key = IndexKey(gvk.ApiVersion());
  return discovered_.Get(key, [&]() -> Result<SchemaPtr> {
    const Result<Document> document = client_->GetRaw("/" + key);
    if (document.ok()) return ToSchema(document->root(), gvk);
    if (document.error().code == ErrorCode::kNotFound) return std::make_shared<const Schema>();
    return document.error();
  });
}

Result<std::shared_ptr<const Schema>> SchemaSource::Get(const GroupVersionKind& gvk) {
  SMP_ASSIGN(const SchemaPtr schema, Published(gvk));
  if (schema != nullptr && Knows(*schema, gvk)) return schema;
  SMP_ASSIGN(const SchemaPtr discovered, Discovered(gvk));
  if (discovered->FindResource(gvk) != nullptr) return discovered;
  return schema != nullptr ? Result(schema) : NoMatches(gvk);
}

Result<Resource> SchemaSource::FindResource(const GroupVersionKind& gvk) {
  SMP_ASSIGN(const std::shared_ptr<const Schema> schema, Get(gvk));
  const Resource* resource = schema->FindResource(gvk);
  if (resource == nullptr) return NoMatches(gvk);
  return *resource;
}

bool SchemaSource::unreachable() const {
  const std::lock_guard lock(mutex_);
  return unreachable_.has_value();
}

void SchemaSource::Forget(const std::string& api_version) {
  // A new CRD may bring a new group-version, and a new hash in any case. The index goes first: whoever loads a schema
  // from now on must not take its path from the old one.
  index_.Forget(std::string(kIndexPath));
  schemas_.Forget(IndexKey(api_version));
  discovered_.Forget(IndexKey(api_version));
}

}  // namespace smp::kube
