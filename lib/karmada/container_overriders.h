// Applies imageOverrider, commandOverrider and argsOverrider, the parts of a policy that change containers.
#pragma once

#include <string>

#include "base/result.h"
#include "karmada/override_run.h"
#include "karmada/policy.h"

namespace smp::karmada {

// Error: policy, with the place of the overrider.
Status ApplyImage(const ImageOverrider& overrider, OverrideRun& run);
// `field`: "command" or "args". Errors as above.
Status ApplyContainer(const ContainerOverrider& overrider, const std::string& field, OverrideRun& run);

}  // namespace smp::karmada
