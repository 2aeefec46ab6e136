// imageOverrider, commandOverrider and argsOverrider: the overriders of a workload's containers.
#pragma once

#include <string>

#include "base/result.h"
#include "karmada/override_run.h"
#include "karmada/policy.h"

namespace smp::karmada {

// Errors: policy, with the place of the overrider.
Status ApplyImage(const ImageOverrider& overrider, OverrideRun& run);
// `field`: "command", "args".
Status ApplyContainer(const ContainerOverrider& overrider, const std::string& field, OverrideRun& run);

}  // namespace smp::karmada
