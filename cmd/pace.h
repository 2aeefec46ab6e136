// --parallel and --qps: how hard the server is asked.
#ifndef SMP_CMD_PACE_H_
#define SMP_CMD_PACE_H_

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> PaceFlags();

// Requests in flight. Error: invalid-argument.
Result<int> ToParallel(const ParsedFlags& flags);
// Requests a second; 0: as many as the server takes. Error: invalid-argument.
Result<double> ToQueriesPerSecond(const ParsedFlags& flags);

}  // namespace smp

#endif  // SMP_CMD_PACE_H_
