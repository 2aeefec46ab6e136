// Credentials from a program, the `exec` of a kubeconfig's user (client-go's exec credential plugins). It runs without
// a shell when credentials are first needed, when they have expired and when the server did not accept them, but never
// again after a failure. Its credentials stay in memory. Its standard error goes to the user; its output is never
// shown.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "auth/credentials.h"

namespace smp::auth {

using WallTime = std::chrono::system_clock::time_point;

// REQUIRES: config.exec. Tests replace `now`.
std::unique_ptr<CredentialSource> MakeExecPlugin(const ConnectionConfig& config,
                                                 std::function<WallTime()> now = &std::chrono::system_clock::now);

}  // namespace smp::auth
