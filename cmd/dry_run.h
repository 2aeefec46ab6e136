// --dry-run, with the values that kubectl has and those it once had.
#ifndef SMP_CMD_DRY_RUN_H_
#define SMP_CMD_DRY_RUN_H_

#include <string>
#include <string_view>

#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

Flag DryRunFlag();

// Of the flag's text. Error: invalid-argument.
Result<DryRun> ToDryRun(const std::string& text);

// " (server dry run)": behind the word for what was done.
std::string_view DryRunSuffix(DryRun dry_run);

}  // namespace smp

#endif  // SMP_CMD_DRY_RUN_H_
