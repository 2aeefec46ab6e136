// Durations as kubectl's flags take them: "30" (seconds), "1m30s", "1.5h", "250ms".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace smp {

// Returns milliseconds, rounded up. Error: invalid-argument, also for negative durations.
Result<int64_t> ParseTimeoutMs(std::string_view text);

}  // namespace smp
