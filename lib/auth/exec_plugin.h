// Credentials from a program, the `exec` of a kubeconfig's user (client-go's exec credential plugins). The program
// runs, without a shell, when credentials are first needed, have expired or were rejected by the server, but never
// again after a failure. The credentials are kept in memory only. The user sees its standard error, never its output.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "auth/credentials.h"

namespace smp::auth {

using WallTime = std::chrono::system_clock::time_point;

// Returns how long the plugin may run: by default a minute, or without a limit where it may talk with the user, because who
// logs in with a browser, a device code or a hardware key needs time. `terminal`: standard input is one.
int64_t TimeoutMs(const ExecConfig& exec, bool terminal);

// REQUIRES: config.exec. Tests replace `now`.
std::unique_ptr<CredentialSource> MakeExecPlugin(const ConnectionConfig& config,
                                                 std::function<WallTime()> now = &std::chrono::system_clock::now);

}  // namespace smp::auth
