// The flags of commands that write: --dry-run, with kubectl's current and deprecated values, and --field-manager.
#pragma once

#include <string>
#include <string_view>

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

Flag DryRunFlag();
Flag FieldManagerFlag();

// Parses the flag's value. Error: invalid-argument.
Result<apply::DryRun> ToDryRun(const std::string& text);

// Returns the text to print after "created" and the like, such as " (server dry run)"; "" without a dry run.
std::string_view DryRunSuffix(apply::DryRun dry_run);

}  // namespace smp::cmd
