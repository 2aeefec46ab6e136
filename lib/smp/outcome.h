// The outcome of a plan: the live object as it shall be after the patch. It comes first; the patch is only its encoding (verify.h).
#ifndef SMP_SMP_OUTCOME_H_
#define SMP_SMP_OUTCOME_H_

#include "smp/plan.h"
#include "value/document.h"

namespace smp {

// Values are shared with the plan's documents, which must outlive the arena's document.
Value Outcome(const Plan& plan, Arena& arena);
Value OutcomeOf(const PlanNode& node, Arena& arena);  // REQUIRES: op kPatch or kSet

// Without the null members of maps, at any depth: what an object means. Shares `value` where nothing changes.
Value WithoutNulls(const Value& value, Arena& arena);

// Equal but for null members of maps (absent = null). Linear.
bool SameMeaning(const Value& a, const Value& b);

}  // namespace smp

#endif  // SMP_SMP_OUTCOME_H_
