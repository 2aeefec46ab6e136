// Flags of apply that cannot be combined.
#pragma once

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

// Error: invalid-argument for the first combination that kubectl rejects (Validate of cmd/apply), with its message, or
// for flags that have no effect with --server-side.
Status CheckApplyCombinations(const ParsedFlags& flags, apply::DryRun dry_run);

}  // namespace smp::cmd
