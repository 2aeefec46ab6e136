#include "kube/resource_mapper.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/strings.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::kube {
namespace {

// client-go's Accept header for discovery. Servers without aggregated discovery return only the groups.
constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

// --- aggregated: APIGroupDiscoveryList

ServedResource ReadResource(const Value& entry, const std::string& group, const std::string& version) {
  ServedResource out;
  out.resource.gvk = {group, version, std::string(TextAt(entry, {"responseKind", "kind"}))};
  out.resource.plural = entry.StringOr("resource");
  out.resource.namespaced = entry.StringOr("scope") == "Namespaced";
  for (const Value& subresource : ItemsAt(entry, {"subresources"})) {
    out.resource.subresources.emplace_back(subresource.StringOr("subresource"));
  }
  out.singular = entry.StringOr("singularResource");
  out.short_names = TextsAt(entry, {"shortNames"});
  out.verbs = TextsAt(entry, {"verbs"});
  return out;
}

void ReadGroup(const Value& group, std::vector<ServedResource>& out) {
  const std::string name(TextAt(group, {"metadata", "name"}));
  for (const Value& version : ItemsAt(group, {"versions"})) {
    for (const Value& entry : ItemsAt(version, {"resources"})) {
      out.push_back(ReadResource(entry, name, std::string(version.StringOr("version"))));
    }
  }
}

// --- not aggregated: APIVersions and APIGroupList, then one APIResourceList per group-version

// Returns group-versions ("v1", "apps/v1"), the preferred version of each group first.
std::vector<std::string> GroupVersions(const Value& root) {
  std::vector<std::string> out = TextsAt(root, {"versions"});
  for (const Value& group : ItemsAt(root, {"groups"})) {
    const std::string first(TextAt(group, {"preferredVersion", "groupVersion"}));
    if (!first.empty()) out.push_back(first);
    for (const Value& version : ItemsAt(group, {"versions"})) {
      if (version.StringOr("groupVersion") != first) out.emplace_back(version.StringOr("groupVersion"));
    }
  }
  return out;
}

void ReadResourceList(const Value& root, const std::string& group_version, std::vector<ServedResource>& out) {
  const std::string group(GroupOf(group_version));
  const std::string version = group_version.substr(group.empty() ? 0 : group.size() + 1);
  for (const Value& entry : ItemsAt(root, {"resources"})) {
    if (entry.StringOr("name").find('/') != std::string_view::npos) continue;  // a subresource
    ServedResource served;
    served.resource.gvk = {group, version, std::string(entry.StringOr("kind"))};
    served.resource.plural = entry.StringOr("name");
    served.resource.namespaced = IsTrueAt(entry, {"namespaced"});
    served.singular = entry.StringOr("singularName");
    served.short_names = TextsAt(entry, {"shortNames"});
    served.verbs = TextsAt(entry, {"verbs"});
    out.push_back(std::move(served));
  }
}

// --- names

// As in Go's schema.ParseResourceArg: "a.v1.apps" may mean version "v1" of group "apps", or group "v1.apps".
struct Query {
  std::string name;
  std::string version;
  std::string group;
};

std::vector<Query> Queries(const std::string& text) {
  std::vector<Query> out;
  const size_t first = text.find('.');
  if (first == text.npos) return {{text, "", ""}};
  const size_t second = text.find('.', first + 1);
  if (second != text.npos) {
    out.push_back({text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)});
  }
  out.push_back({text.substr(0, first), "", text.substr(first + 1)});
  return out;
}

bool IsCalled(const ServedResource& served, const std::string& name) {
  const std::string lower = ToLower(name);
  return served.resource.plural == lower || served.singular == lower || ToLower(served.resource.gvk.kind) == lower;
}

bool IsShortFor(const ServedResource& served, const std::string& name) {
  return std::find(served.short_names.begin(), served.short_names.end(), name) != served.short_names.end();
}

using NameTest = bool (*)(const ServedResource&, const std::string&);
using GroupTest = std::function<bool(const std::string&)>;

const ServedResource* FirstOf(const std::vector<ServedResource>& resources, const Query& query, NameTest is_called,
                              const GroupTest& in_group) {
  for (const ServedResource& served : resources) {
    const GroupVersionKind& gvk = served.resource.gvk;
    const bool version_fits = query.version.empty() || gvk.version == query.version;
    if (version_fits && in_group(gvk.group) && is_called(served, query.name)) return &served;
  }
  return nullptr;
}

const ServedResource* Match(const std::vector<ServedResource>& resources, const Query& query) {
  const GroupTest exactly = [&](const std::string& group) { return query.group.empty() || group == query.group; };
  const GroupTest begun = [&](const std::string& group) { return group.starts_with(query.group); };
  for (const NameTest is_called : {&IsShortFor, &IsCalled}) {
    for (const GroupTest& in_group : {exactly, begun}) {
      if (const ServedResource* found = FirstOf(resources, query, is_called, in_group)) return found;
    }
  }
  return nullptr;
}

Error NoSuchType(const std::string& text) {
  const Query query = Queries(text).back();
  return Error::NotFound(StrCat("the server doesn't have a resource type \"", query.name, "\"",
                                query.group.empty() ? "" : StrCat(" in group \"", query.group, "\"")));
}

}  // namespace

Status ResourceMapper::Add(const std::string& path) {
  SMP_ASSIGN(const Document document, client_->GetRaw(path, kAggregated));
  if (document.root().StringOr("kind") == "APIGroupDiscoveryList") {
    for (const Value& group : ItemsAt(document.root(), {"items"})) ReadGroup(group, resources_);
    return Ok();
  }
  for (const std::string& group_version : GroupVersions(document.root())) {
    const Result<Document> list = client_->GetRaw(StrCat(path, "/", group_version));
    // If the server of one aggregated API is down, the other APIs must still be found.
    if (list.ok()) ReadResourceList(list->root(), group_version, resources_);
  }
  return Ok();
}

Status ResourceMapper::Load() {
  if (loaded_) return Ok();
  resources_.clear();
  SMP_TRY(Add("/api"));
  SMP_TRY(Add("/apis"));
  loaded_ = true;
  return Ok();
}

Result<ServedResource> ResourceMapper::Find(const std::string& text) {
  SMP_TRY(Load());
  for (const Query& query : Queries(text)) {
    if (const ServedResource* found = Match(resources_, query)) return *found;
  }
  return NoSuchType(text);
}

Result<std::vector<ServedResource>> ResourceMapper::All() {
  SMP_TRY(Load());
  return resources_;
}

}  // namespace smp::kube
