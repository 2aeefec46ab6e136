// Exit status: what scripts rely on. apply and other writers use kOk, kFailed and kInterrupted; explain-diff is a diff,
// so 1 means "differences" and errors are 2, as in diff(1) and kubectl diff.
#pragma once

#include "base/result.h"

namespace smp::cmd {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailed = 1,
  kExitDifferences = 1,
  kExitDiffError = 2,
  // explain-diff --exit-code=detailed
  kExitInputError = 3,
  kExitServerError = 4,
  kExitConflict = 5,
  kExitRefused = 6,
  kExitInterrupted = 130,
  kExitReaderGone = 141,  // as a shell counts SIGPIPE
};

// Of --exit-code=detailed.
ExitCode DetailedExitCode(ErrorCode code);

}  // namespace smp::cmd
