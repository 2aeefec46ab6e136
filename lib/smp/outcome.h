// The outcome of a plan: the live object as it should be after the patch. The patch is only its encoding (smp.h).
#pragma once

#include "smp/plan.h"
#include "value/document.h"

namespace smp {

// Values are shared with the plan's documents, which must outlive the arena's document.
Value Outcome(const Plan& plan, Arena& arena);
Value OutcomeOf(const PlanNode& node, Arena& arena);  // REQUIRES: op kPatch or kSet, of a plan that stores no nulls

}  // namespace smp
