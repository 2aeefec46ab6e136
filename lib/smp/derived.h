// Fields that the server derives from others and stores, so that they look like somebody's and stay behind when those
// change (k8s.io/kubernetes/pkg/apis/GROUP/v1/defaults.go).
// Differs from kubectl: it leaves them as they are, or, inside lists that are replaced whole, sends the list again at
// every apply.
#ifndef SMP_SMP_DERIVED_H_
#define SMP_SMP_DERIVED_H_

#include "schema/schema.h"
#include "smp/plan.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// The map as the server completes it, for types that stand inside atomic lists; others as they are.
Value WithDerived(const Value& map, Derived rule, Arena& arena);

// Lets the derived fields of a map, in live alone or a repetition of others, follow what the plan makes of the fields
// they come from (reason derived). REQUIRES: `node` has all its children.
void FollowDerived(PlanNode& node, Derived rule);

}  // namespace smp

#endif  // SMP_SMP_DERIVED_H_
