#include "cmd/refused_pods.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/pod_security.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

using ByNamespace = std::map<std::string, std::vector<explain::ObjectReport*>>;

// Returns what starts Pods of which `counts` is true.
template <class Counts>
ByNamespace Starting(explain::Report& report, Counts counts) {
  ByNamespace out;
  for (explain::ObjectReport& object : report.objects) {
    const bool starts = object.starts_pods() && !object.name_space.empty() && !object.compared;
    if (starts && object.action != explain::Action::kError && counts(object.pods)) {
      out[object.name_space].push_back(&object);
    }
  }
  return out;
}

// Returns what the namespaces will enforce; of one that cannot be read, nothing.
std::map<std::string, explain::PodSecurity> EnforcedIn(kube::Client& client, const ByNamespace& workloads,
                                                       const explain::Report& report) {
  std::map<std::string, explain::PodSecurity> out;
  for (const explain::ObjectReport& object : report.objects) {
    const bool is_sent = object.kind == "Namespace" && object.action != explain::Action::kError;
    if (is_sent) out[object.name] = object.enforced;
  }
  std::vector<kube::ObjectRef> refs;
  for (const auto& [name, objects] : workloads) {
    if (!out.contains(name)) refs.push_back({{"", "v1", "Namespace"}, "namespaces", "", name});
  }
  const std::vector<Result<Document>> found = client.GetAllMetadata(refs);
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].ok()) out[refs[i].name] = explain::PodSecurityOf(found[i]->root());
  }
  return out;
}

// Returns the minor release of the server; nullopt: unknown.
std::optional<int> ReleaseOf(const explain::ObjectReport& object) {
  if (object.schema == nullptr || !object.schema->release()) return std::nullopt;
  return object.schema->release()->minor;
}

void AskPodSecurity(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 3;
  const auto workloads = Starting(report, [](const explain::PodFacts& pods) { return !pods.forbidden.empty(); });
  const auto enforced = EnforcedIn(client, workloads, report);
  for (const auto& [name_space, objects] : workloads) {
    const auto at = enforced.find(name_space);
    for (explain::ObjectReport* object : at == enforced.end() ? std::vector<explain::ObjectReport*>() : objects) {
      std::vector<std::string> forbidden = ForbiddenBy(at->second, object->pods.forbidden, ReleaseOf(*object));
      if (forbidden.empty()) continue;
      object->refused_pods.push_back(
          StrCat("Pod Security ", at->second.level, ": ", NameSome(std::move(forbidden), kMost)));
    }
  }
}

// Returns what a quota counts, and each container must state therefore: "limits.memory". Not of a quota for some Pods only.
std::set<std::string> WantedBy(const Value& quota) {
  std::set<std::string> out;
  const Value* hard = quota.FindPath({"spec", "hard"});
  const bool for_some =
      !ItemsAt(quota, {"spec", "scopes"}).empty() || quota.FindPath({"spec", "scopeSelector"}) != nullptr;
  if (hard == nullptr || !hard->is_object() || for_some) return out;
  for (const Member& member : hard->Members()) {
    const bool is_request = member.name == "cpu" || member.name == "memory";
    out.insert(StrCat(is_request ? "requests." : "", member.name));
  }
  return out;
}

// Returns what a LimitRange sets where a container does not state it.
std::set<std::string> SetByDefault(const Value& range) {
  std::set<std::string> out;
  for (const Value& limit : ItemsAt(range, {"spec", "limits"})) {
    if (TextAt(limit, {"type"}) != "Container") continue;
    for (const char* resource : {"cpu", "memory"}) {
      const bool has_limit = limit.FindPath({"default", resource}) != nullptr;
      const bool has_request = limit.FindPath({"defaultRequest", resource}) != nullptr;
      if (has_limit) out.insert(StrCat("limits.", resource));
      if (has_limit || has_request) out.insert(StrCat("requests.", resource));
    }
  }
  return out;
}

// Calls `visit` with the namespace and each object of a kind in it; of more than a few namespaces, all objects are asked for at once.
void ForEachIn(kube::Client& client, const ByNamespace& namespaces, const std::string& kind, const auto& visit) {
  constexpr size_t kFew = 4;
  std::vector<std::string> asked;
  for (const auto& [name, objects] : namespaces) asked.push_back(name);
  if (asked.size() > kFew) asked = {""};
  for (const std::string& name : asked) {
    const Result<Document> list = client.List({{"", "v1", kind}, StrCat(ToLower(kind), "s"), name, ""}, "");
    for (const Value& item : list.ok() ? ItemsAt(list->root(), {"items"}) : std::span<const Value>()) {
      visit(std::string(TextAt(item, {"metadata", "namespace"})), item);
    }
  }
}

// A label alone changes nothing of what is counted.
bool ChangesSpec(const explain::ObjectReport& object) {
  return object.differs() && (object.action != explain::Action::kChange || object.changes_spec);
}

bool ChangesQuotas(const explain::Report& report, const std::string& name_space) {
  return std::ranges::any_of(report.objects, [&](const explain::ObjectReport& object) {
    const bool is_one = object.kind == "ResourceQuota" || object.kind == "LimitRange";
    return is_one && object.name_space == name_space && ChangesSpec(object);
  });
}

// Adds the names of what the workloads do not state and the quota wants.
void AddRefusals(const std::string& quota, const std::set<std::string>& wanted,
                 const std::vector<explain::ObjectReport*>& workloads) {
  for (explain::ObjectReport* object : workloads) {
    std::vector<std::string> lacks;
    std::ranges::set_intersection(wanted, object->pods.unstated, std::back_inserter(lacks));
    if (!lacks.empty()) object->refused_pods.push_back(StrCat("ResourceQuota ", quota, ": no ", Join(lacks, ", ")));
  }
}

void AskQuotas(kube::Client& client, explain::Report& report) {
  ByNamespace workloads = Starting(report, [](const explain::PodFacts& pods) { return !pods.unstated.empty(); });
  // Nobody knows what its controller will have made of a changed quota by then.
  std::erase_if(workloads, [&](const auto& entry) { return ChangesQuotas(report, entry.first); });
  std::map<std::string, std::map<std::string, std::set<std::string>>> wanted;  // by namespace and quota
  ForEachIn(client, workloads, "ResourceQuota", [&](const std::string& name_space, const Value& quota) {
    wanted[name_space][std::string(TextAt(quota, {"metadata", "name"}))] = WantedBy(quota);
  });
  std::erase_if(workloads, [&](const auto& entry) { return !wanted.contains(entry.first); });
  std::map<std::string, std::set<std::string>> set;
  ForEachIn(client, workloads, "LimitRange",
            [&](const std::string& name_space, const Value& range) { set[name_space].merge(SetByDefault(range)); });
  for (const auto& [name_space, objects] : workloads) {
    for (const auto& [quota, resources] : wanted[name_space]) {
      std::set<std::string> unset;
      std::ranges::set_difference(resources, set[name_space], std::inserter(unset, unset.end()));
      AddRefusals(quota, unset, objects);
    }
  }
}

}  // namespace

void FindRefusedPods(kube::Client& client, explain::Report& report) {
  AskPodSecurity(client, report);
  AskQuotas(client, report);
}

}  // namespace smp::cmd
