#include "explain/rights_worries.h"

#include <algorithm>
#include <set>
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
  return IsGroupOfKubernetes(group);
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
  // What these hold goes with them.
  constexpr std::string_view kHoldData[] = {"namespaces", "persistentvolumeclaims", "persistentvolumes"};
  constexpr std::string_view kDeletes[] = {"delete", "deletecollection", "*"};
  const auto has = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
  };
  const std::string_view name = resource.substr(0, resource.find_first_of(".["));
  const bool one_object = resource.find('[') != resource.npos;  // such as a component's own Secret
  return IsAllOfKubernetes(resource) || (!one_object && has(kResources, name)) ||
         std::ranges::any_of(Split(verbs, ','), [&](std::string_view verb) {
           return has(kVerbs, Trim(verb)) || (Trim(verb) == "*" && has(kHaveThem, name)) ||
                  (!one_object && has(kWrites, Trim(verb)) && has(kDecide, name)) ||
                  (!one_object && has(kDeletes, Trim(verb)) && has(kHoldData, name));
         });
}

// Returns the resources of a right whose holders have others by it.
std::vector<std::string> DangerousResources(const ChangedRight& right) {
  std::vector<std::string> out = ResourcesOf(right);
  std::erase_if(out, [&](const std::string& resource) { return !IsDangerous(resource, right.verbs); });
  return out;
}

// Returns "deployments" of "deployments.apps"; "secrets[a.b]", "*.apps" and "policies.example.com", of which Kubernetes or another
// project may have a namesake, as they are.
std::string WithoutGroup(const std::string& resource) {
  const size_t group = resource.find('.'), name = resource.find('[');
  if (group == std::string::npos || group > name || resource.starts_with('/') || resource.starts_with('*'))
    return resource;
  const std::string_view its_group = std::string_view(resource).substr(group + 1, name - group - 1);
  if (!IsGroupOfKubernetes(its_group)) return resource;
  return StrCat(resource.substr(0, group), name == std::string::npos ? "" : resource.substr(name));
}

constexpr size_t kMostLost = 6;  // resources

// Returns "read, delete" for the verbs "delete, get, list, watch".
std::string VerbsInShort(std::string_view verbs) {
  std::set<std::string> left;
  for (const std::string_view verb : Split(verbs, ',')) left.emplace(Trim(verb));
  std::vector<std::string> out;
  const auto take = [&](const std::set<std::string>& all, const char* word) {
    if (!std::ranges::includes(left, all)) return;
    for (const std::string& verb : all) left.erase(verb);
    out.emplace_back(word);
  };
  take({"get", "list", "watch"}, "read");
  take({"create", "delete", "patch", "update"}, "write");
  out.insert(out.end(), left.begin(), left.end());
  return Join(out, ", ");
}

class RightsToTell {
 public:
  void Add(const std::string& verbs, std::vector<std::string> resources, size_t most) {
    if (resources.empty()) return;
    NamesOnce names;
    for (const std::string& resource : resources) names.Add(WithoutGroup(resource));
    brief_.push_back(StrCat(VerbsInShort(verbs), " ", names.Some(kMostBrief)));
    words_.push_back(StrCat(verbs, " ", NameSome(std::move(resources), most)));
  }
  bool empty() const { return words_.empty(); }
  WorryWords InBoth() const { return {NameSome(words_, 2, "; "), NameSome(brief_, 2, "; ")}; }

 private:
  std::vector<std::string> words_, brief_;  // "get, list pods, secrets"
};

}  // namespace

void AddRightsWorries(const ReportRow& row, FoundWorries& out) {
  const Value none = Value::UnownedArray({});
  const auto rights = ChangedRights(row.live == nullptr || row.live->is_null() ? none : *row.live, *row.outcome);
  if (!rights) return;
  RightsToTell given;
  for (const ChangedRight& right : *rights) {
    if (right.sign == '+') given.Add(right.verbs, DangerousResources(right), kMostTold);
  }
  if (!given.empty()) out[Worry::kRightsGiven] = given.InBoth();
}

WorryWords LostInWords(const Rights& lost) {
  RightsToTell told;
  for (const ChangedRight& right : InGroups('-', lost)) told.Add(right.verbs, ResourcesOf(right), kMostLost);
  return told.InBoth();
}

}  // namespace smp::explain
