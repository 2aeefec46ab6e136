// Why an object is refused, and what is not applied therefore.
#pragma once

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Returns "conflict with kubectl-set 5m ago over requests cpu 500m → 100m; not applied: operator 1.2 → 1.3" of an object with an error, and
// what it keeps.
FoundWorries OfFailure(const ObjectReport& object);

}  // namespace smp::explain
