// Explains what policies did to an object, operation by operation.
#pragma once

#include <string>

#include "karmada/override.h"

namespace smp::karmada {

enum class Secrets { kMask, kShow };

// Returns for each operation what it does, the policy and line it comes from, and the values before and after (only the
// differing lines of multi-line texts). Escapes control characters. REQUIRES: `overridden` was made with
// Record::kChanges.
std::string ExplainSteps(const Overridden& overridden, Secrets secrets);

}  // namespace smp::karmada
