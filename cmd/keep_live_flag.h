// --keep-live PATH and --adopt=MANAGER, of apply and explain-diff: leave a field as live has it; delete what a manager set
// and the manifest lacks.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "smp/keep_live.h"

namespace smp::cmd {

Flag KeepLiveFlag();

// Error: invalid-argument for a path that cannot be parsed, and together with --compat=kubectl.
Result<std::vector<KeepPath>> ToKeepLive(const ParsedFlags& flags);

Flag AdoptFlag();

// Error: invalid-argument for an empty name, and together with --compat=kubectl.
Result<std::vector<std::string>> ToAdopt(const ParsedFlags& flags);

}  // namespace smp::cmd
