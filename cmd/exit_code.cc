#include "cmd/exit_code.h"

namespace smp::cmd {

ExitCode DetailedExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kParse:
    case ErrorCode::kSchema:
    case ErrorCode::kPatchFormat:
    case ErrorCode::kMergeKey:
    case ErrorCode::kPolicy: return kExitInputError;
    case ErrorCode::kNotFound:
    case ErrorCode::kForbidden:
    case ErrorCode::kServer:
    case ErrorCode::kTransport: return kExitServerError;
    case ErrorCode::kConflict: return kExitConflict;
    case ErrorCode::kRefused: return kExitRefused;
    case ErrorCode::kInternal: return kExitDiffError;
  }
  return kExitDiffError;
}

}  // namespace smp::cmd
