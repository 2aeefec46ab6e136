#include "cmd/unread_objects.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/lost_rights.h"
#include "schema/definition.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

constexpr size_t kMostResources = 8;  // each is two requests
constexpr int64_t kMostNamed = 2;     // objects

// Returns true for "widgets.example.com", which is also the name of its CRD.
bool IsCustom(const std::string& resource) {
  const size_t dot = resource.find('.');
  const bool is_plain = resource.find_first_of("*/[") == resource.npos;
  return dot != resource.npos && is_plain && !explain::IsGroupOfKubernetes(resource.substr(dot + 1));
}

// Returns true if the role has lost a verb for reading, and what it allows of the resource, or of all of its group, has not got it.
bool LosesReading(const std::string& resource, const std::set<std::string>& lost, const explain::Rights& allowed) {
  const auto allows = [&](const std::string& name, const char* verb) {
    const auto at = allowed.find(name);
    return at != allowed.end() && (at->second.contains(verb) || at->second.contains("*"));
  };
  const std::string of_group = StrCat("*", resource.substr(resource.find('.')));
  return std::ranges::any_of(std::initializer_list<const char*>{"get", "list", "watch"}, [&](const char* verb) {
    const bool is_lost = lost.contains(verb) || lost.contains("*");
    return is_lost && !allows(resource, verb) && !allows(of_group, verb);
  });
}

// Returns the resource by its CRD; nullopt if that is not there.
std::optional<Resource> ResourceOf(kube::Client& client, const std::string& name) {
  const kube::ObjectRef crd = kube::DefinitionRef(name);
  if (!kube::CheckPathSegments(crd).ok()) return std::nullopt;
  const Result<Document> found = client.Get(crd);
  if (!found.ok()) return std::nullopt;
  for (const DefinedKind& kind : KindsOfDefinition(found->root())) {
    if (kind.served && kind.stored) return kind.resource;
  }
  return std::nullopt;
}

// Returns "widgets.example.com: one, two" of a namespace, or of all of them (""); "" if there are none.
std::string ObjectsOf(kube::Client& client, const std::string& name, const std::string& name_space) {
  const std::optional<Resource> resource = ResourceOf(client, name);
  if (!resource || (!name_space.empty() && !resource->namespaced)) return {};
  const kube::ObjectRef all = {resource->gvk, resource->plural, name_space, ""};
  const Result<Document> page = client.ListPage(all, {.limit = kMostNamed + 1});
  if (!page.ok()) return {};
  std::vector<std::string> names;
  for (const Value& item : ItemsAt(page->root(), {"items"})) names.emplace_back(TextAt(item, {"metadata", "name"}));
  const bool more = names.size() > kMostNamed;
  if (more) names.resize(kMostNamed);
  return names.empty() ? "" : StrCat(name, ": ", Join(names, ", "), more ? ", …" : "");
}

}  // namespace

void FindUnreadObjects(kube::Client& client, explain::Report& report) {
  explain::Objects objects;
  for (const explain::ObjectReport& object : report.objects) objects.push_back(&object);
  const std::vector<explain::Rights> lost = explain::LostRights(objects);
  std::map<std::pair<std::string, std::string>, std::string> known;  // by resource and namespace
  for (size_t i = 0; i < lost.size(); ++i) {
    for (const auto& [resource, verbs] : lost[i]) {
      if (!IsCustom(resource) || !LosesReading(resource, verbs, report.objects[i].role.allowed)) continue;
      const std::string& name_space = report.objects[i].name_space;  // of a Role, which allows nothing elsewhere
      const auto [at, is_new] = known.try_emplace({resource, name_space});
      if (is_new && known.size() <= kMostResources) at->second = ObjectsOf(client, resource, name_space);
      if (!at->second.empty()) report.objects[i].role.unread.push_back(at->second);
    }
  }
}

}  // namespace smp::cmd
