#include "kube/schema_source.h"

#include <utility>

#include "base/strings.h"
#include "schema/openapi.h"
#include "schema/openapi_v2.h"

namespace smp {
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
  const Value* resources = api_resource_list.Find("resources");
  if (resources == nullptr || !resources->is_array()) return schema;
  for (const Value& entry : resources->Items()) {
    const std::string_view name = entry.StringOr("name");
    if (name.empty() || name.find('/') != name.npos) continue;
    const Value* namespaced = entry.Find("namespaced");
    Resource resource;
    resource.gvk = {group_version.group, group_version.version, std::string(entry.StringOr("kind"))};
    resource.plural = name;
    resource.namespaced = namespaced != nullptr && namespaced->is_bool() && namespaced->AsBool();
    schema->AddResource(resource);
  }
  return schema;
}

// A connection that had stood and broke is worth another try.
bool IsUnreachable(const Error& error) {
  constexpr int kUnauthorized = 401;
  return (error.code == ErrorCode::kTransport && error.reason != kConnectionReset) ||
         error.http_status == kUnauthorized;
}

bool Knows(const Schema& schema, const GroupVersionKind& gvk) {
  return schema.FindResource(gvk) != nullptr || schema.FindType(gvk) != kNoType;
}

bool HasGroupVersion(const Schema& schema, const GroupVersionKind& gvk) {
  const auto first = schema.kinds().lower_bound({gvk.group, gvk.version, ""});
  return first != schema.kinds().end() && first->first.group == gvk.group && first->first.version == gvk.version;
}

}  // namespace

Status SchemaSource::LoadIndex() {
  if (have_index_) return Ok();
  if (unreachable_) return *unreachable_;
  const Result<Document> document = client_->GetRaw(std::string(kIndexPath));
  if (!document.ok() && document.error().code == ErrorCode::kNotFound) {
    SMP_TRY(LoadV2());
  } else if (!document.ok()) {
    if (IsUnreachable(document.error())) unreachable_ = document.error();
    return document.error();
  } else {
    SMP_ASSIGN(index_, ReadIndex(document->root()));
  }
  have_index_ = true;
  return Ok();
}

// Servers before 1.24 have one document for all kinds.
Status SchemaSource::LoadV2() {
  Result<Document> document = client_->GetRaw(std::string(kV2Path));
  if (!document.ok()) {
    Error error = std::move(document).error();
    // Not the not-found of a kind: nothing at all can be looked up.
    if (error.code == ErrorCode::kNotFound) {
      error.code = ErrorCode::kServer;
      error.message = StrCat("the server publishes its schema neither at ", kIndexPath, " nor at ", kV2Path,
                             "; check that it is an API server: ", error.message);
    }
    return error;
  }
  SMP_ASSIGN(v2_, CompileOpenApiV2(document->root()));
  return Ok();
}

// Of the kind's group-version; with v2, of all.
Result<SchemaSource::SchemaPtr> SchemaSource::Published(const GroupVersionKind& gvk) {
  if (given_ != nullptr) return Knows(*given_, gvk) ? given_ : SchemaPtr();
  const std::string key = IndexKey(gvk.ApiVersion());
  if (const auto known = schemas_.find(key); known != schemas_.end()) return known->second;
  SMP_TRY(LoadIndex());
  if (v2_ != nullptr) return HasGroupVersion(*v2_, gvk) ? v2_ : SchemaPtr();
  const auto at = index_.find(key);
  if (at == index_.end()) return SchemaPtr();
  SMP_ASSIGN(const SchemaPtr schema, Fetch(at->second));
  return schemas_.emplace(key, schema).first->second;
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

Result<SchemaSource::SchemaPtr> SchemaSource::Discovered(const GroupVersionKind& gvk) {
  const std::string key = IndexKey(gvk.ApiVersion());
  if (const auto known = discovered_.find(key); known != discovered_.end()) return known->second;
  const Result<Document> document = client_->GetRaw("/" + key);
  const bool none = !document.ok() && document.error().code == ErrorCode::kNotFound;
  if (!document.ok() && !none) return document.error();
  const SchemaPtr schema = none ? nullptr : ToSchema(document->root(), gvk);
  return discovered_.emplace(key, schema).first->second;
}

Result<std::shared_ptr<const Schema>> SchemaSource::Get(const GroupVersionKind& gvk) {
  const std::lock_guard lock(mutex_);
  SMP_ASSIGN(const SchemaPtr schema, Published(gvk));
  if (schema != nullptr && Knows(*schema, gvk)) return schema;
  SMP_ASSIGN(const SchemaPtr discovered, Discovered(gvk));
  if (discovered != nullptr && discovered->FindResource(gvk) != nullptr) return discovered;
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
  const std::lock_guard lock(mutex_);
  schemas_.erase(IndexKey(api_version));
  discovered_.erase(IndexKey(api_version));
  v2_.reset();
  have_index_ = false;  // a new CRD may bring a new group-version, and a new hash in any case
}

}  // namespace smp
