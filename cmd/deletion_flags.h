// How apply deletes (--cascade, --grace-period, --timeout, --wait), and when (--force): kubectl's flags, with its
// words.
#ifndef SMP_CMD_DELETION_FLAGS_H_
#define SMP_CMD_DELETION_FLAGS_H_

#include <optional>
#include <vector>

#include "apply/deletion.h"
#include "apply/recreate.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

std::vector<Flag> DeletionFlagTable();

// Error: invalid-argument.
Result<Deletion> ToDeletion(const ParsedFlags& flags);

// Of --force; nullopt without. Error: invalid-argument, for a value that is wrong with or without it.
Result<std::optional<RecreateOptions>> ToForce(const ParsedFlags& flags);
// What --force waits for and does is told on io.err; `io` must outlive the options.
void TellOfForce(SubmitOptions& options, Io& io);

}  // namespace smp

#endif  // SMP_CMD_DELETION_FLAGS_H_
