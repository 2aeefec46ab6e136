// Explains what policies did to an object, operation by operation.
#ifndef SMP_KARMADA_EXPLANATION_H_
#define SMP_KARMADA_EXPLANATION_H_

#include <string>

#include "karmada/override.h"

namespace smp {

// Returns for each operation what it is, which policy has it and where, and the values before and after; of texts, only
// the lines that differ. Values are shown as they are, with control characters made visible. REQUIRES:
// Record::kChanges.
std::string ExplainSteps(const Overridden& overridden);

}  // namespace smp

#endif  // SMP_KARMADA_EXPLANATION_H_
