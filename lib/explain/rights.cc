#include "explain/rights.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace smp::explain {

namespace {

using Names = std::vector<std::string>;

constexpr size_t kMostRights = 100'000;  // pairs of a resource and a verb
constexpr std::array<std::string_view, 5> kFields = {"apiGroups", "nonResourceURLs", "resourceNames", "resources",
                                                     "verbs"};

bool IsListOfStrings(const Value& value) {
  return value.is_array() &&
         std::all_of(value.Items().begin(), value.Items().end(), [](const Value& item) { return item.is_string(); });
}

bool IsRule(const Value& value) {
  if (!value.is_object() || value.Find("verbs") == nullptr) return false;
  return std::all_of(value.Members().begin(), value.Members().end(), [](const Member& member) {
    return std::find(kFields.begin(), kFields.end(), member.name) != kFields.end() && IsListOfStrings(member.value);
  });
}

Names NamesIn(const Value& rule, std::string_view field) {
  Names out;
  const Value* list = rule.Find(field);
  if (list == nullptr) return out;
  for (const Value& name : list->Items()) out.emplace_back(name.AsString());
  return out;
}

// Returns what the rule is about: "deployments.apps", "secrets[db]", "/healthz".
Names ResourcesOf(const Value& rule) {
  Names out = NamesIn(rule, "nonResourceURLs"), objects = NamesIn(rule, "resourceNames");
  if (objects.empty()) objects.emplace_back();
  for (const std::string& group : NamesIn(rule, "apiGroups")) {
    for (const std::string& resource : NamesIn(rule, "resources")) {
      for (const std::string& object : objects) {
        out.push_back(
            StrCat(resource, group.empty() ? "" : ".", group, object.empty() ? "" : StrCat("[", object, "]")));
      }
    }
  }
  return out;
}

size_t SizeOf(const Value& rule, std::string_view field) {
  const Value* list = rule.Find(field);
  return list == nullptr ? 0 : list->size();
}

// Returns how many pairs ResourcesOf would make of the rule, or more.
size_t CountOf(const Value& rule) {
  const size_t objects = std::max<size_t>(SizeOf(rule, "resourceNames"), 1);
  const size_t resources = SizeOf(rule, "apiGroups") * SizeOf(rule, "resources") * objects;
  return (resources + SizeOf(rule, "nonResourceURLs")) * SizeOf(rule, "verbs");
}

// Returns "/*", "/h*", … of "/healthz": a path that ends with a star stands for all that begin with the rest.
// Source: rbac/v1, NonResourceURLMatches.
Names PrefixesOf(std::string_view path) {
  constexpr size_t kLongest = 256;  // bytes; all the prefixes of more would be too much
  Names out = {"*"};
  if (path.size() > kLongest) return out;
  for (size_t i = 1; i <= path.size(); ++i) out.push_back(StrCat(path.substr(0, i), "*"));
  std::erase(out, path);
  return out;
}

// Returns the names under which rights include those for the resource besides its own: of "deployments.apps[web]" these are
// "deployments.apps", "*.apps", "deployments.*" and "*.*"; a subresource has more.
Names WiderNames(const std::string& resource) {
  if (resource.starts_with('/')) return PrefixesOf(resource);
  const std::string all = resource.substr(0, resource.find('['));
  const size_t dot = all.find('.');
  const std::string name = all.substr(0, dot), group = dot == all.npos ? "" : all.substr(dot);
  Names out = {all, StrCat("*", group), StrCat(name, ".*"), "*.*"};
  if (const size_t slash = name.find('/'); slash != name.npos) {  // "*/scale" is that of all resources
    const std::string any = StrCat("*", name.substr(slash));
    out.insert(out.end(), {StrCat(any, group), StrCat(any, ".*")});
  }
  std::erase(out, resource);
  return out;
}

// Returns the verbs that the rights allow for the names.
std::set<std::string> VerbsOf(const Names& resources, const Rights& rights) {
  std::set<std::string> out;
  for (const std::string& name : resources) {
    if (const auto at = rights.find(name); at != rights.end()) out.insert(at->second.begin(), at->second.end());
  }
  return out;
}

bool Allow(const std::set<std::string>& verbs, const std::string& verb) {
  return verbs.contains(verb) || verbs.contains("*");
}

// Returns true for all verbs but those that only some resources have, or hardly anybody uses.
bool AllowsAllInUse(const std::set<std::string>& verbs) {
  constexpr const char* kVerbs[] = {"create", "delete", "get", "list", "patch", "update", "watch"};
  return std::ranges::all_of(kVerbs, [&](const char* verb) { return verbs.contains(verb); });
}

// Returns the verbs that only this resource has, and that "*" allows: "escalate" of roles. Source: the RBAC page of the documentation of
// Kubernetes, "Restrictions on role creation or update".
Names VerbsOfItsOwn(const std::string& resource) {
  const size_t end = std::min(resource.find_first_of(".[/"), resource.size());
  const std::string_view name = std::string_view(resource).substr(0, end);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_one_of({"clusterroles", "roles"})) return {"bind", "escalate"};
  if (is_one_of({"groups", "serviceaccounts", "userextras", "users"})) return {"impersonate"};
  if (is_one_of({"certificatesigningrequests", "signers"})) return {"approve", "sign"};
  if (name != "*") return {};
  const std::string_view group =
      end < resource.size() && resource[end] == '.' ? std::string_view(resource).substr(end + 1) : "";
  if (group == "rbac.authorization.k8s.io") return {"bind", "escalate"};
  if (group == "certificates.k8s.io") return {"approve", "sign"};
  if (group.empty()) return {"impersonate"};
  return group == "*" ? Names{"approve", "bind", "escalate", "impersonate", "sign"} : Names();
}

// Returns the verbs of a resource that belong to the rights with this sign: '+' and '-' are what `one` allows and `other` does
// not, '=' what `other` allowed under a wider name only, which `one` does not have.
Names VerbsWithSign(char sign, const std::string& resource, const Rights& one, const Rights& other) {
  const Names wider = WiderNames(resource);
  const std::set<std::string> there = VerbsOf({resource}, other), wider_there = VerbsOf(wider, other),
                              wider_here = sign == '=' ? VerbsOf(wider, one) : std::set<std::string>();
  Names out;
  for (const std::string& verb : one.at(resource)) {
    if (sign == '-' && verb == "*" && (AllowsAllInUse(there) || AllowsAllInUse(wider_there))) {
      for (std::string& own : VerbsOfItsOwn(resource)) {
        if (!Allow(there, own) && !Allow(wider_there, own)) out.push_back(std::move(own));
      }
      continue;
    }
    const bool stays = !Allow(there, verb) && Allow(wider_there, verb) && !Allow(wider_here, verb);
    if (sign == '=' ? stays : !Allow(there, verb) && !Allow(wider_there, verb)) out.push_back(verb);
  }
  return out;
}

// Returns the rights with this sign, resources with the same verbs together.
std::vector<ChangedRight> RightsWithSign(char sign, const Rights& one, const Rights& other) {
  Rights out;
  for (const auto& [resource, verbs] : one) {
    const Names more = VerbsWithSign(sign, resource, one, other);
    if (!more.empty()) out[resource] = {more.begin(), more.end()};
  }
  return InGroups(sign, out);
}

}  // namespace

std::optional<Rights> RightsOf(const Value& rules) {
  if (!rules.is_array()) return std::nullopt;
  Rights out;
  size_t count = 0;
  for (const Value& rule : rules.Items()) {
    if (!IsRule(rule)) return std::nullopt;
    count += CountOf(rule);
    if (count > kMostRights) return std::nullopt;
    const Names verbs = NamesIn(rule, "verbs");
    for (const std::string& resource : ResourcesOf(rule)) out[resource].insert(verbs.begin(), verbs.end());
  }
  return out;
}

bool IsGroupOfKubernetes(std::string_view group) { return group.find('.') == group.npos || group.ends_with(".k8s.io"); }

bool IsNowhere(const std::string& resource) {
  constexpr std::string_view kCoreGroup = "";
  constexpr std::pair<std::string_view, std::string_view> kGroups[] = {{"configmaps", kCoreGroup},
                                                                       {"cronjobs", "batch"},
                                                                       {"daemonsets", "apps"},
                                                                       {"deployments", "apps"},
                                                                       {"endpoints", kCoreGroup},
                                                                       {"ingresses", "networking.k8s.io"},
                                                                       {"jobs", "batch"},
                                                                       {"leases", "coordination.k8s.io"},
                                                                       {"namespaces", kCoreGroup},
                                                                       {"networkpolicies", "networking.k8s.io"},
                                                                       {"nodes", kCoreGroup},
                                                                       {"persistentvolumeclaims", kCoreGroup},
                                                                       {"persistentvolumes", kCoreGroup},
                                                                       {"poddisruptionbudgets", "policy"},
                                                                       {"pods", kCoreGroup},
                                                                       {"replicasets", "apps"},
                                                                       {"secrets", kCoreGroup},
                                                                       {"serviceaccounts", kCoreGroup},
                                                                       {"services", kCoreGroup},
                                                                       {"statefulsets", "apps"}};
  const std::string_view all = std::string_view(resource).substr(0, resource.find('['));
  const size_t dot = all.find('.');
  const std::string_view name = all.substr(0, std::min(dot, all.find('/')));
  const std::string_view group = dot == all.npos ? kCoreGroup : all.substr(dot + 1);
  if (group == "extensions") return true;
  // Groups of others have resources of the same names, and metrics are of Pods and nodes.
  const bool is_told = IsGroupOfKubernetes(group) && group != "*" && !group.ends_with("metrics.k8s.io");
  const auto at = std::ranges::find(kGroups, name, &std::pair<std::string_view, std::string_view>::first);
  return is_told && at != std::end(kGroups) && at->second != group;
}

void RemoveAllowed(const Rights& others, Rights& rights) {
  Rights left;
  for (const auto& [resource, verbs] : rights) {
    const Names more = VerbsWithSign('-', resource, rights, others);
    if (!more.empty()) left[resource] = {more.begin(), more.end()};
  }
  rights = std::move(left);
}

Rights WithVerbsThatStay(Rights lost, const Rights& kept) {
  for (auto& [resource, verbs] : lost) {
    const auto at = kept.find(resource);
    if (verbs.contains("*") && at != kept.end()) verbs = {StrCat("all but ", Join(at->second, ", "))};
  }
  return lost;
}

std::vector<ChangedRight> InGroups(char sign, const Rights& rights) {
  std::vector<ChangedRight> out;
  std::map<std::string, size_t> places;  // by verbs
  for (const auto& [resource, verbs] : rights) {
    const std::string text = Join(Names(verbs.begin(), verbs.end()), ", ");
    const auto [at, is_new] = places.try_emplace(text, out.size());
    if (is_new) {
      out.push_back({sign, resource, text});
    } else {
      out[at->second].resources += StrCat(", ", resource);
    }
  }
  return out;
}

std::optional<std::vector<ChangedRight>> ChangedRights(const Value& before, const Value& after) {
  const bool nothing = before.is_array() && after.is_array() && before.empty() && after.empty();
  const std::optional<Rights> old = RightsOf(before), now = old ? RightsOf(after) : std::nullopt;
  if (!now || nothing) return std::nullopt;
  std::vector<ChangedRight> out = RightsWithSign('-', *old, *now);
  for (const char sign : {'=', '+'}) {
    for (ChangedRight& right : RightsWithSign(sign, *now, *old)) out.push_back(std::move(right));
  }
  return out;
}

std::vector<std::string> ResourcesOf(const ChangedRight& right) {
  std::vector<std::string> out;
  for (const std::string_view resource : Split(right.resources, ',')) out.emplace_back(Trim(resource));
  return out;
}

std::string RightsInWords(const std::vector<ChangedRight>& rights, char sign, size_t longest) {
  std::vector<std::string> words;
  std::set<std::string> resources;
  std::string_view verbs;
  for (const ChangedRight& right : rights) {
    if (right.sign != sign) continue;
    verbs = right.verbs;
    words.push_back(StrCat(right.verbs, " ", right.resources));
    for (std::string& resource : ResourcesOf(right)) resources.insert(std::move(resource));
  }
  std::string out = Join(words, "; ");
  if (out.size() <= longest) return out;
  const std::string count = Counted(resources.size(), "resource");
  const std::string of_all = words.size() == 1 ? StrCat(verbs, " of ", count) : count;
  return of_all.size() <= longest ? of_all : count;
}

}  // namespace smp::explain
