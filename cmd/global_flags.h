// kubectl's global flags. Every command accepts them, before or after its name, even if it does not use them.
#pragma once

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> GlobalFlagTable();

// Error: invalid-argument for what kubectl supports and we do not, instead of ignoring it silently.
Status CheckGlobalFlags(const ParsedFlags& flags);

}  // namespace smp::cmd
