// --wait-ready[=DURATION]: after everything is applied, wait until it is ready.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "apply/wait_ready.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

Flag WaitReadyFlag();

// Returns milliseconds; nullopt if the flag is not given. Error: invalid-argument.
Result<std::optional<int64_t>> ToWaitReady(const ParsedFlags& flags);

// Waits at most `timeout_ms`. Prints to io.err what each object is waiting for whenever this changes, and at the end
// the objects that are not ready. Returns the exit status: 0 if all are ready or have no known readiness.
int RunWaitReady(const Connection& connection, std::vector<apply::WaitedObject> objects, int64_t timeout_ms, Io& io);

}  // namespace smp::cmd
