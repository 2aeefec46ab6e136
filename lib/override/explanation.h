// What policies did to an object, operation by operation, for people.
#ifndef SMP_OVERRIDE_EXPLANATION_H_
#define SMP_OVERRIDE_EXPLANATION_H_

#include <string>

#include "override/override.h"

namespace smp {

// Of each operation: what it is, which policy says so and where, and what differs before and after; of texts the lines
// that differ. Values as they are; what a terminal would take for more than text is made visible. Wants
// Record::kChanges.
std::string ExplainSteps(const Overridden& overridden);

}  // namespace smp

#endif  // SMP_OVERRIDE_EXPLANATION_H_
