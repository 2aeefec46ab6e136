// What the rules of a Role or ClusterRole allow, whatever way they are grouped into rules: a list of rules that is written
// anew may allow less, and a comparison of the lists does not show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

// Resources with the same change of verbs.
struct ChangedRight {
  char sign = '+';        // '-': no longer allowed, '=': what stays of that
  std::string resources;  // "deployments.apps, secrets[db], /healthz": a name in brackets limits it to one object
  std::string verbs;      // "get, list"
};

// Returns what the rules no longer allow, what of it stays for fewer resources, then what they newly allow; empty if both lists allow the same. nullopt if the
// values are no RBAC rules, or too many of them. "*" allows all, of its group or as a verb.
std::optional<std::vector<ChangedRight>> ChangedRights(const Value& before, const Value& after);

std::vector<std::string> ResourcesOf(const ChangedRight& right);  // {"deployments.apps", "secrets[db]", "/healthz"}

// Returns the rights with this sign: "get, list pods; update secrets", or "3 resources" if that has more than `longest` bytes. "" if
// there are none.
std::string RightsInWords(const std::vector<ChangedRight>& rights, char sign, size_t longest);

}  // namespace smp::explain
