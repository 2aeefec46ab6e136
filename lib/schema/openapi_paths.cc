#include "schema/openapi_paths.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"
#include "schema/openapi_types.h"
#include "value/at.h"

namespace smp {

namespace {

struct ResourcePath {
  std::string_view plural;
  std::string_view subresource;  // "" for the resource itself
  bool namespaced = false;
};

// /api/VERSION/… or /apis/GROUP/VERSION/…, then [namespaces/{namespace}/]PLURAL/{name}[/SUBRESOURCE].
// "/namespaces/{name}" is the cluster-scoped Namespace itself; only the parameter's name distinguishes it.
std::optional<ResourcePath> ParseResourcePath(std::string_view path) {
  const std::vector<std::string_view> parts = Split(path, '/');
  if (parts.size() < 2 || (parts[1] != "api" && parts[1] != "apis")) return std::nullopt;
  size_t at = parts[1] == "api" ? 3 : 4;
  if (parts.size() < at + 2 || parts[at] == "watch") return std::nullopt;
  ResourcePath result;
  result.namespaced = parts[at] == "namespaces" && parts[at + 1] == "{namespace}";
  if (result.namespaced) at += 2;
  const size_t rest = parts.size() - at;
  if ((rest != 2 && rest != 3) || parts[at + 1] != "{name}") return std::nullopt;
  result.plural = parts[at];
  if (rest == 3) result.subresource = parts[at + 2];
  return result;
}

const Value* GvkOfPath(const Value& operations) {
  for (const std::string_view verb : {"get", "patch", "put", "post", "delete"}) {
    const Value* gvk = operations.FindPath({verb, "x-kubernetes-group-version-kind"});
    if (gvk != nullptr && gvk->is_object()) return gvk;
  }
  return nullptr;
}

bool IsDryRun(const Value& parameter) {
  // v2 may have it once, as #/parameters/dryRun-HASH.
  return parameter.StringOr("name") == "dryRun" || parameter.StringOr("$ref").starts_with("#/parameters/dryRun");
}

bool TakesDryRun(const Value& operation) {
  const std::span<const Value> parameters = ItemsAt(operation, {"parameters"});
  return std::any_of(parameters.begin(), parameters.end(), IsDryRun);
}

// `item`, `collection`: the operations of PLURAL/{name} and of PLURAL; the latter may be nullptr.
bool TakesDryRuns(const Value& item, const Value* collection) {
  const Value* patch = item.Find("patch");
  const Value* post = collection == nullptr ? nullptr : collection->Find("post");
  return patch != nullptr && TakesDryRun(*patch) && (post == nullptr || TakesDryRun(*post));
}

Resource ResourceOf(const ResourcePath& path, const Value& gvk, const Schema& schema) {
  Resource resource;
  resource.gvk = GvkOfExtension(gvk);
  resource.plural = path.plural;
  resource.namespaced = path.namespaced;
  resource.type = schema.FindType(resource.gvk);
  return resource;
}

}  // namespace

// A subresource belongs to the resource whose path it extends, even if it has another kind (pods/eviction,
// deployments/scale). Members are sorted, so a resource precedes its subresources, and these are sorted.
void AddResources(const Value& paths, const TakesStrategicPatch& takes_strategic_patch, Schema& schema) {
  ViewMap<Resource> resources;
  for (const Member& path : paths.Members()) {
    const std::optional<ResourcePath> parsed = ParseResourcePath(path.name);
    if (!parsed.has_value()) continue;
    if (parsed->subresource.empty()) {
      const Value* gvk = GvkOfPath(path.value);
      if (gvk == nullptr) continue;
      Resource& resource = resources.emplace(path.name, ResourceOf(*parsed, *gvk, schema)).first->second;
      const Value* patch = path.value.Find("patch");
      resource.strategic = patch != nullptr && takes_strategic_patch(*patch);
      resource.dry_run = TakesDryRuns(path.value, paths.Find(path.name.substr(0, path.name.rfind('/'))));
      continue;
    }
    const std::string_view parent = path.name.substr(0, path.name.size() - parsed->subresource.size() - 1);
    if (const auto at = resources.find(parent); at != resources.end()) {
      at->second.subresources.emplace_back(parsed->subresource);
    }
  }
  // In the order of the document: if two paths have the same kind, the first wins.
  for (const Member& path : paths.Members()) {
    if (const auto at = resources.find(path.name); at != resources.end()) schema.AddResource(at->second);
  }
}

}  // namespace smp
