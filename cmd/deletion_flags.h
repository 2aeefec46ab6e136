// How apply deletes (--cascade, --grace-period, --timeout, --wait), and when (--force): kubectl's flags, with its
// words.
#ifndef SMP_CMD_DELETION_FLAGS_H_
#define SMP_CMD_DELETION_FLAGS_H_

#include <vector>

#include "apply/deletion.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> DeletionFlagTable();

// Error: invalid-argument.
Result<Deletion> ToDeletion(const ParsedFlags& flags);

}  // namespace smp

#endif  // SMP_CMD_DELETION_FLAGS_H_
