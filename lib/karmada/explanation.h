// Explains what policies did to an object, operation by operation.
#pragma once

#include <string>

#include "karmada/override.h"

namespace smp::karmada {

// Returns for each operation what it does, the policy and line it comes from, and the values before and after (only the
// differing lines of multi-line texts). Does not hide values; escapes control characters. REQUIRES: `overridden` was
// made with Record::kChanges.
std::string ExplainSteps(const Overridden& overridden);

}  // namespace smp::karmada
