// Flags of apply that cannot be combined.
#ifndef SMP_CMD_APPLY_COMBINATIONS_H_
#define SMP_CMD_APPLY_COMBINATIONS_H_

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

// Error: invalid-argument, with kubectl's messages and in its order (Validate of cmd/apply); then for flags that mean
// nothing with --server-side.
Status CheckApplyCombinations(const ParsedFlags& flags, DryRun dry_run);

}  // namespace smp

#endif  // SMP_CMD_APPLY_COMBINATIONS_H_
