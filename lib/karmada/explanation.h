// Explains what policies did to an object, operation by operation.
#pragma once

#include <string>

#include "karmada/override.h"

namespace smp::karmada {

// Returns for each operation what it is, which policy has it and where, and the values before and after; of texts, only
// the lines that differ. Values are shown as they are, with control characters made visible. REQUIRES:
// Record::kChanges.
std::string ExplainSteps(const Overridden& overridden);

}  // namespace smp::karmada
