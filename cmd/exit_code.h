// The exit statuses, which scripts rely on. Commands that write use kExitOk, kExitFailed and kExitInterrupted. For
// explain-diff, 1 means "differences" and 2 means an error, as for diff(1) and kubectl diff.
#pragma once

#include "base/result.h"

namespace smp::cmd {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailed = 1,
  kExitDifferences = 1,
  kExitDiffError = 2,
  // Only explain-diff --exit-code=detailed:
  kExitInputError = 3,
  kExitServerError = 4,
  kExitConflict = 5,
  kExitRefused = 6,
  kExitInterrupted = 130,
  kExitReaderGone = 141,  // 128 + SIGPIPE, as in a shell
};

// Returns the exit status of --exit-code=detailed for an error.
ExitCode DetailedExitCode(ErrorCode code);

}  // namespace smp::cmd
