#include "explain/rights_worries.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/rights.h"

namespace smp::explain {

namespace {

// Returns true for all resources of the core group, of all groups, or of a group of Kubernetes itself; false for "*.example.com".
bool IsAllOfKubernetes(std::string_view resource) {
  if (!resource.starts_with('*')) return false;
  const std::string_view group = resource.substr(std::min<size_t>(resource.size(), 2));
  return group.find('.') == group.npos || group.ends_with(".k8s.io");
}

// Whoever has such a right has others by it.
bool IsDangerous(std::string_view resource, std::string_view verbs) {
  constexpr std::string_view kResources[] = {"secrets",
                                             "pods/exec",
                                             "pods/attach",
                                             "pods/ephemeralcontainers",
                                             "nodes/proxy",
                                             "serviceaccounts/token",
                                             "certificatesigningrequests/approval"};
  constexpr std::string_view kVerbs[] = {"escalate", "bind", "impersonate"};
  constexpr std::string_view kHaveThem[] = {"roles", "clusterroles", "users", "groups", "serviceaccounts"};
  constexpr std::string_view kDecide[] = {"apiservices",
                                          "mutatingadmissionpolicies",
                                          "mutatingadmissionpolicybindings",
                                          "mutatingwebhookconfigurations",
                                          "validatingadmissionpolicies",
                                          "validatingadmissionpolicybindings",
                                          "validatingwebhookconfigurations"};
  constexpr std::string_view kWrites[] = {"create", "update", "patch", "*"};
  const auto has = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
  };
  const std::string_view name = resource.substr(0, resource.find_first_of(".["));
  return IsAllOfKubernetes(resource) || has(kResources, name) ||
         std::ranges::any_of(Split(verbs, ','), [&](std::string_view verb) {
           return has(kVerbs, Trim(verb)) || (Trim(verb) == "*" && has(kHaveThem, name)) ||
                  (has(kWrites, Trim(verb)) && has(kDecide, name));
         });
}

// Returns the resources of a right whose holders have others by it.
std::vector<std::string> DangerousResources(const ChangedRight& right) {
  std::vector<std::string> out = ResourcesOf(right);
  std::erase_if(out, [&](const std::string& resource) { return !IsDangerous(resource, right.verbs); });
  return out;
}

// Returns "deployments" of "deployments.apps"; "secrets[a.b]" and "*.apps" as they are.
std::string WithoutGroup(const std::string& resource) {
  const size_t group = resource.find('.'), name = resource.find('[');
  const bool is_all = resource.starts_with('*');
  if (group == std::string::npos || group > name || resource.starts_with('/') || is_all) return resource;
  return StrCat(resource.substr(0, group), name == std::string::npos ? "" : resource.substr(name));
}

constexpr size_t kMostLost = 6;  // resources

struct RightsToTell {
  std::vector<std::string> words = {};  // "get, list pods, secrets"
  std::string verbs = {};               // of the last ones
  NamesOnce resources = {};

  void Add(const std::string& of_verbs, std::vector<std::string> of, size_t most) {
    if (of.empty()) return;
    for (const std::string& resource : of) resources.Add(resource);
    words.push_back(StrCat(of_verbs, " ", NameSome(std::move(of), most)));
    verbs = of_verbs;
  }
  WorryWords InBoth() const {
    constexpr size_t kFewVerbs = 20;  // bytes
    NamesOnce names;
    for (const std::string& resource : resources.all()) names.Add(WithoutGroup(resource));
    const std::string few = names.Some(kMostBrief);
    return {NameSome(words, 2, "; "), words.size() == 1 && verbs.size() <= kFewVerbs ? StrCat(verbs, " ", few) : few};
  }
};

}  // namespace

void AddRightsWorries(const ReportRow& row, FoundWorries& out) {
  const Value none = Value::UnownedArray({});
  const auto rights = ChangedRights(row.live == nullptr || row.live->is_null() ? none : *row.live, *row.outcome);
  if (!rights) return;
  RightsToTell lost, given;
  for (const ChangedRight& right : *rights) {
    if (right.sign == '-') lost.Add(right.verbs, ResourcesOf(right), kMostLost);
    if (right.sign == '+') given.Add(right.verbs, DangerousResources(right), kMostTold);
  }
  if (!lost.words.empty()) out[Worry::kRightsGone] = lost.InBoth();
  if (!given.words.empty()) out[Worry::kRightsGiven] = given.InBoth();
}

}  // namespace smp::explain
