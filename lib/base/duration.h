// Durations: as kubectl's flags take them ("30" are seconds in some, "1m30s", "1.5h", "250ms"), and ages for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Returns milliseconds, rounded up. Error: invalid-argument, also for negative durations.
Result<int64_t> ParseTimeoutMs(std::string_view text);

// The same for flags that take no bare number but 0 (--timeout). Error: that of Go's time.ParseDuration.
Result<int64_t> ParseGoDurationMs(std::string_view text);

// Returns the age in its largest whole unit: "3d", "5h", "12m", "40s". A negative one, of another machine's clock, is
// "0s".
std::string AgeText(std::chrono::seconds age);

}  // namespace smp
