#include "kube/requests.h"

#include "base/strings.h"
#include "value/document.h"
#include "value/json.h"

namespace smp::kube {

namespace {

std::string WriteQuery(const WriteOptions& options) {
  return UrlQuery({{"dryRun", options.dry_run ? "All" : ""},
                   {"fieldManager", options.field_manager},
                   {"fieldValidation", options.field_validation},
                   {"force", options.force ? "true" : ""}});
}

std::string_view ContentType(PatchType type) {
  switch (type) {
    case PatchType::kStrategic: return "application/strategic-merge-patch+json";
    case PatchType::kMerge: return "application/merge-patch+json";
    case PatchType::kJson: return "application/json-patch+json";
    case PatchType::kApply: return "application/apply-patch+yaml";
  }
  return {};
}

net::HttpRequest Request(std::string method, std::string path) {
  return {std::move(method), std::move(path), {{"Accept", "application/json"}}, {}};
}

net::HttpRequest RequestWithBody(std::string method, std::string path, std::string_view content_type,
                                 const Value& body) {
  net::HttpRequest request = Request(std::move(method), std::move(path));
  request.headers.emplace_back("Content-Type", content_type);
  request.body = WriteJson(body);
  return request;
}

Value DeleteBody(const DeleteOptions& options, Arena& arena) {
  std::vector<Member> members = {{"apiVersion", arena.String("v1")},
                                 {"kind", arena.String("DeleteOptions")},
                                 {"propagationPolicy", arena.String(options.propagation)}};
  if (options.grace_period_seconds >= 0)
    members.push_back({"gracePeriodSeconds", Value::Int(options.grace_period_seconds)});
  std::vector<Member> preconditions;
  if (!options.uid.empty()) preconditions.push_back({"uid", arena.String(options.uid)});
  if (!options.resource_version.empty())
    preconditions.push_back({"resourceVersion", arena.String(options.resource_version)});
  if (!preconditions.empty()) members.push_back({"preconditions", arena.Object(std::move(preconditions))});
  if (options.dry_run) {
    const Value all[] = {arena.String("All")};
    members.push_back({"dryRun", arena.Array(all)});
  }
  return arena.Object(std::move(members));
}

}  // namespace

std::string UrlQuery(const std::vector<std::pair<std::string_view, std::string>>& parameters) {
  std::string query;
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    query += StrCat(query.empty() ? '?' : '&', name, "=", EscapeUrl(value));
  }
  return query;
}

net::HttpRequest GetRequest(std::string path) { return Request("GET", std::move(path)); }

Result<net::HttpRequest> CreateRequest(const ObjectRef& ref, const Value& object, const WriteOptions& options) {
  const ObjectRef target =
      ref.subresource.empty() ? CollectionOf(ref) : ref;  // only subresources are POSTed to an object
  SMP_TRY(CheckPathSegments(target));
  return RequestWithBody("POST", ObjectPath(target) + WriteQuery(options), "application/json", object);
}

Result<net::HttpRequest> PatchRequest(const ObjectRef& ref, PatchType type, const Value& patch,
                                      const WriteOptions& options) {
  SMP_TRY(CheckPathSegments(ref));
  return RequestWithBody("PATCH", ObjectPath(ref) + WriteQuery(options), ContentType(type), patch);
}

Result<net::HttpRequest> DeleteRequest(const ObjectRef& ref, const DeleteOptions& options) {
  SMP_TRY(CheckPathSegments(ref));
  if (ref.name.empty()) return Error::Internal("the name is missing: this would delete the whole collection");
  Arena arena;
  const Value body = DeleteBody(options, arena);
  return RequestWithBody("DELETE", ObjectPath(ref), "application/json", body);
}

}  // namespace smp::kube
