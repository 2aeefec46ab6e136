// Selects the policies that apply to an object, in order, and the rules that apply to a cluster.
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
  std::vector<const ResourceSelector*> selectors;  // those that match the object
};

// Returns the policies of one scope that select the object. The most specific policy is last and thus wins: first those
// for all objects, then those that select by labels, then those that name the object; ties are ordered by policy name.
// `name_space`: the object's namespace; "" for a cluster-scoped object, to which no OverridePolicy applies.
SelectedPolicies SelectPolicies(std::span<const OverridePolicy> policies, PolicyScope scope, const Value& object,
                                std::string_view name_space);

// Returns true if the rule applies to the cluster. Error: policy, if that depends on an unknown fact about the cluster
// (nullopt in MemberCluster).
Result<bool> IsForCluster(const OverrideRule& rule, const MemberCluster& cluster);

}  // namespace smp::karmada
