#include "cmd/refused_pods.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/access_facts.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

constexpr size_t kMostNamespaces = 4;  // each is a request or two

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
  return out.size() <= kMostNamespaces ? out : ByNamespace();
}

// Returns the level that the namespace will enforce; "" if it names none, or cannot be read.
std::string LevelOf(kube::Client& client, const std::string& name, const explain::Report& report) {
  for (const explain::ObjectReport& object : report.objects) {
    const bool is_it = object.kind == "Namespace" && object.name == name;
    if (is_it && object.action != explain::Action::kError) return object.enforced_level;
  }
  const Result<Document> found = client.GetAllMetadata({{{"", "v1", "Namespace"}, "namespaces", "", name}}).front();
  return found.ok() ? std::string(explain::EnforcedLevel(found->root())) : "";
}

void AskPodSecurity(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 3;
  const auto workloads = Starting(report, [](const explain::PodFacts& pods) {
    return !pods.forbidden_by_baseline.empty() || !pods.forbidden_by_restricted.empty();
  });
  for (const auto& [name_space, objects] : workloads) {
    const std::string level = LevelOf(client, name_space, report);
    if (level != "baseline" && level != "restricted") continue;
    for (explain::ObjectReport* object : objects) {
      std::vector<std::string> forbidden = object->pods.forbidden_by_baseline;
      const auto& more = object->pods.forbidden_by_restricted;
      if (level == "restricted") forbidden.insert(forbidden.end(), more.begin(), more.end());
      if (forbidden.empty()) continue;
      object->refused_pods.push_back(StrCat("Pod Security ", level, ": ", NameSome(std::move(forbidden), kMost)));
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

Result<Document> ListIn(kube::Client& client, const std::string& kind, const std::string& name_space) {
  return client.List({{"", "v1", kind}, StrCat(ToLower(kind), "s"), name_space, ""}, "");
}

// Returns what the quotas of a namespace want and its LimitRanges do not set, by the quota's name.
std::map<std::string, std::set<std::string>> WantedIn(kube::Client& client, const std::string& name_space) {
  std::map<std::string, std::set<std::string>> out;
  const Result<Document> quotas = ListIn(client, "ResourceQuota", name_space);
  if (!quotas.ok() || ItemsAt(quotas->root(), {"items"}).empty()) return out;
  std::set<std::string> set;
  const Result<Document> ranges = ListIn(client, "LimitRange", name_space);
  for (const Value& range : ranges.ok() ? ItemsAt(ranges->root(), {"items"}) : std::span<const Value>()) {
    set.merge(SetByDefault(range));
  }
  for (const Value& quota : ItemsAt(quotas->root(), {"items"})) {
    const std::set<std::string> wanted = WantedBy(quota);
    std::set<std::string>& unset = out[std::string(TextAt(quota, {"metadata", "name"}))];
    std::ranges::set_difference(wanted, set, std::inserter(unset, unset.end()));
  }
  return out;
}

bool ChangesQuotas(const explain::Report& report, const std::string& name_space) {
  return std::ranges::any_of(report.objects, [&](const explain::ObjectReport& object) {
    const bool is_one = object.kind == "ResourceQuota" || object.kind == "LimitRange";
    return is_one && object.name_space == name_space && object.differs();
  });
}

void AskQuotas(kube::Client& client, explain::Report& report) {
  const auto workloads = Starting(report, [](const explain::PodFacts& pods) { return !pods.unstated.empty(); });
  for (const auto& [name_space, objects] : workloads) {
    if (ChangesQuotas(report, name_space)) continue;  // nobody knows what its controller will have made of them by then
    for (const auto& [quota, wanted] : WantedIn(client, name_space)) {
      for (explain::ObjectReport* object : objects) {
        std::vector<std::string> lacks;
        std::ranges::set_intersection(wanted, object->pods.unstated, std::back_inserter(lacks));
        if (!lacks.empty()) object->refused_pods.push_back(StrCat("ResourceQuota ", quota, ": no ", Join(lacks, ", ")));
      }
    }
  }
}

}  // namespace

void FindRefusedPods(kube::Client& client, explain::Report& report) {
  AskPodSecurity(client, report);
  AskQuotas(client, report);
}

}  // namespace smp::cmd
