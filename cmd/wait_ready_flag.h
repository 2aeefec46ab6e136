// --wait-ready[=DURATION]: after everything is applied, wait until it is ready.
#ifndef SMP_CMD_WAIT_READY_FLAG_H_
#define SMP_CMD_WAIT_READY_FLAG_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "kube/object_ref.h"

namespace smp {

Flag WaitReadyFlag();

// Milliseconds; nothing when the flag is not given. Error: invalid-argument.
Result<std::optional<int64_t>> ToWaitReady(const ParsedFlags& flags);

// Says on io.err what holds each object, whenever that changes, and at the end which are not ready, and why. The exit
// status: 0 when all are (or nothing can be said of them).
int RunWaitReady(const Connection& connection, const std::vector<ObjectRef>& refs, int64_t timeout_ms, Io& io);

}  // namespace smp

#endif  // SMP_CMD_WAIT_READY_FLAG_H_
