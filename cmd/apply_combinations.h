// Flags of apply that cannot stand together.
#ifndef SMP_CMD_APPLY_COMBINATIONS_H_
#define SMP_CMD_APPLY_COMBINATIONS_H_

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

// Error: invalid-argument, in kubectl's words (Validate of cmd/apply) and in its order.
Status CheckApplyCombinations(const ParsedFlags& flags, DryRun dry_run);

}  // namespace smp

#endif  // SMP_CMD_APPLY_COMBINATIONS_H_
