// fieldOverrider and the alternative designs: operations on a JSON or YAML text inside a field.
#pragma once

#include "base/result.h"
#include "karmada/override_run.h"
#include "karmada/policy.h"

namespace smp::karmada {

// Parses the text once, and writes it once, after the last operation. Error: policy, with the place of the operation;
// it shows no values of a Secret.
Status ApplyField(const FieldOverrider& overrider, OverrideRun& run);

}  // namespace smp::karmada
