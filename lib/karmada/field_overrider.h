// fieldOverrider and the alternative designs: operations on a JSON or YAML text inside a field.
#ifndef SMP_KARMADA_FIELD_OVERRIDER_H_
#define SMP_KARMADA_FIELD_OVERRIDER_H_

#include "base/result.h"
#include "karmada/override_run.h"
#include "karmada/policy.h"

namespace smp {

// Parses the text once, and writes it once, after the last operation. Error: policy, with the place of the operation;
// it shows no values of a Secret.
Status ApplyField(const FieldOverrider& overrider, OverrideRun& run);

}  // namespace smp

#endif  // SMP_KARMADA_FIELD_OVERRIDER_H_
