// The outcome of a plan: the live object as it should be after the patch. The patch only encodes it (smp.h).
#pragma once

#include "smp/plan.h"
#include "value/document.h"

namespace smp {

// Values are shared with the plan's documents, which must outlive the arena's document.
Value Outcome(const Plan& plan, Arena& arena);
Value OutcomeOf(const PlanNode& node, Arena& arena);  // REQUIRES: node.op is kPatch or kSet; plan.nulls is nullptr

}  // namespace smp
