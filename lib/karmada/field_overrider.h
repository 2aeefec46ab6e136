// Applies fieldOverrider and its alternative designs (policy.h): operations on a JSON or YAML text inside a field.
#pragma once

#include "base/result.h"
#include "karmada/override_run.h"
#include "karmada/policy.h"

namespace smp::karmada {

// Parses the text once, applies all operations and writes the text once. Error: policy, with the place of the
// operation; the message contains no values of a Secret.
Status ApplyField(const FieldOverrider& overrider, OverrideRun& run);

}  // namespace smp::karmada
