// Plans that change nothing but apply's own last-applied annotation.
#pragma once

#include "smp/plan.h"

namespace smp {

// Returns true if the plan changes the last-applied annotation and nothing else.
bool ChangesOnlyLastApplied(const Plan& plan);

}  // namespace smp
