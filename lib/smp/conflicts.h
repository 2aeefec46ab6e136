// Finds the changes of a plan that would undo what somebody else did, for --overwrite=false.
#pragma once

#include <vector>

#include "base/result.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// Returns, in the order of the plan, the fields and items that it sets or deletes as a whole although live has neither
// the last-applied value nor the new one. Absence counts as a value. Elements of sets, the order of items, derived
// fields and fields cleared by $retainKeys or a union are never conflicts. Empty if no change by others is lost.
std::vector<FieldPath> ConflictingPaths(const Plan& plan);

// Returns Ok if `conflicts` is empty. Error: conflict; its path is the first one, its message lists up to 20.
Status RefuseToOverwrite(const std::vector<FieldPath>& conflicts);

}  // namespace smp
