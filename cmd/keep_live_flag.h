// --keep-live PATH, of apply and explain-diff: leave a field as live has it.
#pragma once

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "smp/keep_live.h"

namespace smp::cmd {

Flag KeepLiveFlag();

// Error: invalid-argument for a path that cannot be parsed, and together with --compat=kubectl.
Result<std::vector<KeepPath>> ToKeepLive(const ParsedFlags& flags);

}  // namespace smp::cmd
