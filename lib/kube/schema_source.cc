#include "kube/schema_source.h"

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/definition.h"
#include "schema/openapi.h"
#include "schema/openapi_v2.h"
#include "value/at.h"

namespace smp::kube {
namespace {

constexpr std::string_view kIndexPath = "/openapi/v3";
constexpr std::string_view kV2Path = "/openapi/v2";
constexpr int kMovedPermanently = 301;

// Returns the key in the index of /openapi/v3: "api/v1", "apis/apps/v1".
std::string IndexKey(const std::string& api_version) {
  return (api_version.find('/') == api_version.npos ? "api/" : "apis/") + api_version;
}

// Returns the part of the URL that begins with /openapi/v3, "" if there is no such part. If the server's address has a
// path prefix, the URL contains that prefix, but the transport adds it, too.
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

// Returns the subresources by resource: an APIResourceList names them "widgets/status".
std::map<std::string_view, std::vector<std::string>> SubresourcesIn(const Value& api_resource_list) {
  std::map<std::string_view, std::vector<std::string>> out;
  for (const Value& entry : ItemsAt(api_resource_list, {"resources"})) {
    const std::string_view name = entry.StringOr("name");
    const size_t slash = name.find('/');
    if (slash != name.npos) out[name.substr(0, slash)].emplace_back(name.substr(slash + 1));
  }
  return out;
}

// Returns a schema with the resources of an APIResourceList, without fields.
std::shared_ptr<const Schema> ToSchema(const Value& api_resource_list, const GroupVersionKind& group_version) {
  auto schema = std::make_shared<Schema>();
  auto subresources = SubresourcesIn(api_resource_list);
  for (const Value& entry : ItemsAt(api_resource_list, {"resources"})) {
    const std::string_view name = entry.StringOr("name");
    if (name.empty() || name.find('/') != name.npos) continue;
    Resource resource;
    resource.gvk = {group_version.group, group_version.version, std::string(entry.StringOr("kind"))};
    resource.plural = name;
    resource.namespaced = IsTrueAt(entry, {"namespaced"});
    resource.subresources = std::move(subresources[name]);
    schema->AddResource(resource);
  }
  return schema;
}

// A reset does not count: a connection that was established and broke is worth another try.
bool IsUnreachable(const Error& error) {
  constexpr int kUnauthorized = 401;
  return (error.code == ErrorCode::kTransport && error.reason != net::kConnectionReset) ||
         error.http_status == kUnauthorized;
}

// A 404 for /openapi/v2 does not mean that a kind is missing, but that no kind can be looked up: not kNotFound.
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

// Returns true if `by_kind`, a map by GroupVersionKind, has a kind of the same group and version.
template <class Map>
bool HasGroupVersion(const Map& by_kind, const GroupVersionKind& gvk) {
  const auto first = by_kind.lower_bound({gvk.group, gvk.version, ""});
  return first != by_kind.end() && first->first.group == gvk.group && first->first.version == gvk.version;
}

// Returns false for a document that a proxy, or a server that is starting, has answered without its content.
bool HasResources(const Schema& schema, const GroupVersionKind& gvk) {
  return HasGroupVersion(schema.resources(), gvk);
}

// Stands for an error that is remembered.
const std::shared_ptr<const Schema>& UnreadableDefinition() {
  static const auto schema = std::make_shared<const Schema>();
  return schema;
}

}  // namespace

Error NoMatches(const GroupVersionKind& gvk) {
  return Error::NotFound(
      StrCat("no matches for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(), "\"", kEnsureCrds));
}

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

// For servers before 1.24, which have one document of several MB for all kinds.
Result<SchemaSource::SchemaPtr> SchemaSource::FetchV2() {
  const auto cached = cache_ ? cache_->LoadRevision(kV2Path) : std::nullopt;
  const Result<Revision> fetched = client_->GetRevision(std::string(kV2Path), cached ? cached->etag : "");
  if (!fetched.ok()) return NoOpenApi(fetched.error());
  if (!fetched->document) return cached->schema;
  SMP_ASSIGN(SchemaPtr schema, CompileOpenApiV2(fetched->document->root()));
  if (cache_) cache_->StoreRevision(kV2Path, fetched->etag, *schema);
  return schema;
}

// Returns the schema of the kind's group-version (v2: of all kinds), nullptr if the server publishes none.
Result<SchemaSource::SchemaPtr> SchemaSource::Published(const GroupVersionKind& gvk) {
  if (given_ != nullptr) return Knows(*given_, gvk) ? given_ : SchemaPtr();
  const std::string key = IndexKey(gvk.ApiVersion());
  return schemas_.Get(key, [&]() -> Result<SchemaPtr> {
    SMP_ASSIGN(const IndexPtr index, LoadIndex());
    if (index->v2 != nullptr) return HasGroupVersion(index->v2->kinds(), gvk) ? index->v2 : SchemaPtr();
    const auto at = index->paths.find(key);
    return at == index->paths.end() ? SchemaPtr() : Fetch(at->second, gvk);
  });
}

std::optional<Resource> SchemaSource::Guess(const GroupVersionKind& gvk) {
  if (given_ != nullptr || !cache_) return std::nullopt;
  const std::string path = StrCat(kIndexPath, "/", IndexKey(gvk.ApiVersion()));
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = earlier_.try_emplace(path);
  if (is_new) at->second = cache_->LoadEarlier(path);
  const Resource* resource = at->second ? at->second->schema->FindResource(gvk) : nullptr;
  return resource == nullptr ? std::nullopt : std::optional(*resource);
}

SchemaSource::SchemaPtr SchemaSource::Cached(const std::string& path) {
  if (!cache_) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto at = earlier_.find(path.substr(0, path.find('?')));
    const bool known = at != earlier_.end() && at->second;
    if (known && at->second->digest == SchemaCache::Earlier::DigestOf(path)) return at->second->schema;
  }
  return cache_->Load(path);
}

// Returns nullptr if the server does not have the document.
Result<SchemaSource::SchemaPtr> SchemaSource::Fetch(const std::string& path, const GroupVersionKind& gvk) {
  if (SchemaPtr cached = Cached(path); cached != nullptr && HasResources(*cached, gvk)) return cached;
  Result<Document> document = client_->GetRaw(path);
  // The document's hash changed after we read the index (a CustomResourceDefinition was just changed), so the server
  // redirects to the new one. We do not follow redirects; without a hash in the URL the server returns the current one.
  const bool moved = !document.ok() && document.error().http_status == kMovedPermanently;
  if (moved) document = client_->GetRaw(path.substr(0, path.find('?')));
  // The group was removed after we read the index, or a moment before: the server's index lags behind.
  if (!document.ok() && document.error().code == ErrorCode::kNotFound) return SchemaPtr();
  if (!document.ok()) return std::move(document).error();
  SMP_ASSIGN(SchemaPtr schema, CompileOpenApiV3(document->root()));
  if (cache_ && !moved && HasResources(*schema, gvk)) cache_->Store(path, *schema);
  return schema;
}

// Returns a schema without resources if the server has no such group-version.
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
  if (schema != nullptr && schema->FindResource(gvk) != nullptr) return schema;
  SMP_ASSIGN(const SchemaPtr discovered, Discovered(gvk));
  if (discovered->FindResource(gvk) != nullptr) {
    // Without its types, lists of a built-in kind would be replaced as a whole, with what others put there.
    return BuiltinSchema()->FindResource(gvk) != nullptr ? BuiltinSchema() : discovered;
  }
  return schema != nullptr ? Result(schema) : NoMatches(gvk);
}

Result<Resource> SchemaSource::FindResource(const GroupVersionKind& gvk) {
  SMP_ASSIGN(const std::shared_ptr<const Schema> schema, Get(gvk));
  const Resource* resource = schema->FindResource(gvk);
  if (resource == nullptr) return NoMatches(gvk);
  return *resource;
}

Result<std::shared_ptr<const Document>> SchemaSource::Definition(const Resource& resource) {
  const std::string name = FullName(resource.gvk, resource.plural);
  return definitions_.Get(name, [&]() -> Result<std::shared_ptr<const Document>> {
    auto definition = client_->Get(DefinitionRef(name));
    if (definition.ok()) return std::make_shared<const Document>(*std::move(definition));
    if (definition.error().code == ErrorCode::kNotFound) return std::shared_ptr<const Document>();
    return std::move(definition).error();
  });
}

bool SchemaSource::HasOtherVersions(const GroupVersionKind& gvk) {
  if (given_ != nullptr) return false;
  const Result<IndexPtr> index = LoadIndex();
  if (!index.ok()) return false;
  const std::string beginning = StrCat("apis/", gvk.group, "/");
  const std::map<std::string, std::string>& paths = (*index)->paths;
  const auto is_other = [&](const auto& entry) { return entry.first != StrCat(beginning, gvk.version); };
  const auto begin = paths.lower_bound(beginning);
  const auto end =
      std::find_if(begin, paths.end(), [&](const auto& entry) { return !entry.first.starts_with(beginning); });
  return std::any_of(begin, end, is_other);
}

Result<SchemaSource::SchemaPtr> SchemaSource::Defined(const Resource& resource) {
  if (given_ != nullptr || resource.gvk.group.empty()) return std::make_shared<const Schema>();
  const std::string name = FullName(resource.gvk, resource.plural);
  SMP_ASSIGN(SchemaPtr out, defined_.Get(StrCat(resource.gvk.version, "/", name), [&]() -> Result<SchemaPtr> {
    const Result<std::shared_ptr<const Document>> definition = Definition(resource);
    if (!definition.ok() && definition.error().code == ErrorCode::kForbidden) return UnreadableDefinition();
    if (!definition.ok()) return definition.error();
    if (*definition == nullptr) return std::make_shared<const Schema>();
    return CompileDefinition((*definition)->root(), resource.gvk.version);
  }));
  if (out == UnreadableDefinition())
    return Error{ErrorCode::kForbidden, StrCat("the definition ", name, " may not be read")};
  return out;
}

bool SchemaSource::ReadsV2() {
  if (given_ != nullptr) return false;
  const Result<IndexPtr> index = LoadIndex();
  return index.ok() && (*index)->v2 != nullptr;
}

bool SchemaSource::unreachable() const {
  const std::lock_guard lock(mutex_);
  return unreachable_.has_value();
}

void SchemaSource::Forget(const std::string& api_version) {
  // A new CRD changes the document's hash and may add a group-version. Forget the index first: a thread that loads a
  // schema meanwhile must not use a path from the old index.
  index_.Forget(std::string(kIndexPath));
  schemas_.Forget(IndexKey(api_version));
  discovered_.Forget(IndexKey(api_version));
  defined_.ForgetAll();
  definitions_.ForgetAll();
}

}  // namespace smp::kube
