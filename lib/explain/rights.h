// What the rules of a Role or ClusterRole allow, whatever way they are grouped into rules: a list of rules that is written
// anew may allow less, and a comparison of the lists does not show it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace smp::explain {

// The verbs of each resource: "deployments.apps", "secrets[db]", "/healthz".
using Rights = std::map<std::string, std::set<std::string>>;

// Returns nullopt if the value is no list of RBAC rules, or if there are too many rights.
std::optional<Rights> RightsOf(const Value& rules);

bool IsGroupOfKubernetes(std::string_view group);  // also for "" and "*"

// Returns true for a resource that no server has had since 1.22: in the group "extensions", or of Kubernetes in a group that has none of
// this name. Rules that name several groups and several resources have many of these.
bool IsNowhere(const std::string& resource);

// Removes from `rights` what `others` allow, also under a wider name.
void RemoveAllowed(const Rights& others, Rights& rights);

// Resources with the same change of verbs.
struct ChangedRight {
  char sign = '+';        // '-': no longer allowed, '=': what stays of that
  std::string resources;  // "deployments.apps, secrets[db], /healthz": a name in brackets limits it to one object
  std::string verbs;      // "get, list"
};

// Returns what the rules no longer allow, what of it stays for fewer resources, then what they newly allow; empty if both lists allow the same. nullopt if the
// values are no RBAC rules, or too many of them. "*" allows all, of its group or as a verb.
std::optional<std::vector<ChangedRight>> ChangedRights(const Value& before, const Value& after);

// Returns the lost rights with "all but get" in place of the verb "*" for resources of which `kept` has some verbs still.
Rights WithVerbsThatStay(Rights lost, const Rights& kept);

// Returns all the rights with the sign, resources with the same verbs together.
std::vector<ChangedRight> InGroups(char sign, const Rights& rights);

std::vector<std::string> ResourcesOf(const ChangedRight& right);  // {"deployments.apps", "secrets[db]", "/healthz"}

// Returns the rights with this sign: "get, list pods; update secrets", or "3 resources" if that has more than `longest` bytes. "" if
// there are none.
std::string RightsInWords(const std::vector<ChangedRight>& rights, char sign, size_t longest);

}  // namespace smp::explain
