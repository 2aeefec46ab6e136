// Finds the changes of a plan that would undo what somebody else did, for --overwrite=false.
#pragma once

#include <vector>

#include "base/result.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// Returns the fields and items that the plan sets or deletes as a whole although live has neither the last-applied
// value nor the new one. Absence counts as a value. Elements of sets, the order of items, and what $retainKeys clears
// are no conflicts. In the order of the plan; empty if nobody else's change is lost.
std::vector<FieldPath> ConflictingPaths(const Plan& plan);

// Error: conflict, with all paths in the message and the first as its path.
Status RefuseToOverwrite(const std::vector<FieldPath>& conflicts);

}  // namespace smp
