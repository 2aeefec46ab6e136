// Which policies are for an object, in which order, and which rules are for a cluster.
#ifndef SMP_OVERRIDE_SELECT_H_
#define SMP_OVERRIDE_SELECT_H_

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "override/member_cluster.h"
#include "override/policy.h"
#include "value/value.h"

namespace smp {

enum class PolicyScope { kCluster, kNamespace };

struct SelectedPolicies {
  std::vector<const OverridePolicy*> policies;     // in the order in which they are applied
  std::vector<const ResourceSelector*> selectors;  // all that match
};

// Of the policies of one scope those that select the object; the most specific runs last, and so wins: a policy for
// everything, then one that selects by labels, then one that names the object; by name among equals.
// `name_space`: the object's; "": it has none, and no OverridePolicy is for it.
SelectedPolicies SelectPolicies(std::span<const OverridePolicy> policies, PolicyScope scope, const Value& object,
                                std::string_view name_space);

// Error: policy, when that depends on something of the cluster that was not described.
Result<bool> IsForCluster(const OverrideRule& rule, const MemberCluster& cluster);

}  // namespace smp

#endif  // SMP_OVERRIDE_SELECT_H_
