// kubectl's global flags. Every command accepts them, before or after its name, even if it does not use them.
#pragma once

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> GlobalFlagTable();

// Error: invalid-argument if a flag is used in a way that kubectl supports but this program does not.
Status CheckGlobalFlags(const ParsedFlags& flags);

}  // namespace smp::cmd
