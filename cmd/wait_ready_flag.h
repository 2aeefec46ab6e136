// --wait-ready[=DURATION]: after everything is applied, wait until it is ready.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "kube/object_ref.h"

namespace smp::cmd {

Flag WaitReadyFlag();

// Milliseconds; nullopt if the flag is not given. Error: invalid-argument.
Result<std::optional<int64_t>> ToWaitReady(const ParsedFlags& flags);

// Reports on io.err what each object is waiting for, whenever that changes, and at the end which objects are not ready
// and why. Returns the exit status: 0 if all are ready (or their readiness is unknown).
int RunWaitReady(const Connection& connection, const std::vector<kube::ObjectRef>& refs, int64_t timeout_ms, Io& io);

}  // namespace smp::cmd
