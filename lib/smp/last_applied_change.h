// What a plan changes beside apply's own last-applied annotation.
#pragma once

#include <vector>

#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// Returns true if the plan changes the last-applied annotation and nothing else.
bool ChangesOnlyLastApplied(const Plan& plan);

// Returns the paths of all other changes, in the plan's order; of a list that gets another order or other elements, that of
// the list.
std::vector<FieldPath> OtherChanges(const Plan& plan);

}  // namespace smp
