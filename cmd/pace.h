// --parallel and --qps: how many requests are sent, and how fast.
#pragma once

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> PaceFlags();

// Maximum number of requests in flight. Error: invalid-argument.
Result<int> ToParallel(const ParsedFlags& flags);
// Requests per second; 0: as many as the server takes. Error: invalid-argument.
Result<double> ToQueriesPerSecond(const ParsedFlags& flags);

}  // namespace smp::cmd
