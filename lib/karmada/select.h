// Selects the policies for an object, in order, and the rules for a cluster.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "karmada/member_cluster.h"
#include "karmada/policy.h"
#include "value/value.h"

namespace smp::karmada {

enum class PolicyScope { kCluster, kNamespace };

struct SelectedPolicies {
  std::vector<const OverridePolicy*> policies;     // in the order of application
  std::vector<const ResourceSelector*> selectors;  // all that match
};

// Returns the policies of one scope that select the object. The most specific runs last, and so wins: first a policy
// for everything, then one that selects by labels, then one that names the object; equals by name. `name_space`: the
// object's; "": it has none, and no OverridePolicy applies.
SelectedPolicies SelectPolicies(std::span<const OverridePolicy> policies, PolicyScope scope, const Value& object,
                                std::string_view name_space);

// Returns true if the rule is for the cluster. Error: policy, if that depends on something of the cluster that was not
// described.
Result<bool> IsForCluster(const OverrideRule& rule, const MemberCluster& cluster);

}  // namespace smp::karmada
