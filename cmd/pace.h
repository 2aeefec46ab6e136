// --parallel and --qps: how many requests are sent, and how fast.
#ifndef SMP_CMD_PACE_H_
#define SMP_CMD_PACE_H_

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> PaceFlags();

// Maximum number of requests in flight. Error: invalid-argument.
Result<int> ToParallel(const ParsedFlags& flags);
// Requests per second; 0: as many as the server takes. Error: invalid-argument.
Result<double> ToQueriesPerSecond(const ParsedFlags& flags);

}  // namespace smp

#endif  // SMP_CMD_PACE_H_
