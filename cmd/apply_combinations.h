// Flags of apply that cannot be combined.
#pragma once

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

// Error: invalid-argument, with kubectl's messages and in its order (Validate of cmd/apply); then for flags that mean
// nothing with --server-side.
Status CheckApplyCombinations(const ParsedFlags& flags, apply::DryRun dry_run);

}  // namespace smp::cmd
