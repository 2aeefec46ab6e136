// Credentials of a program, the `exec` of a kubeconfig's user (client-go's exec credential plugins). It is run without
// a shell, when credentials are wanted first, when they have expired and when the server did not accept them, but not
// again after it has failed once; what it gives stays in memory. Its standard error is the user's, its output is never
// shown.
#ifndef SMP_KUBE_EXEC_PLUGIN_H_
#define SMP_KUBE_EXEC_PLUGIN_H_

#include <functional>
#include <memory>

#include "kube/credentials.h"
#include "kube/exec_credential.h"

namespace smp {

// REQUIRES: config.exec. `now` is the clock's seam.
std::unique_ptr<CredentialSource> MakeExecPlugin(const ConnectionConfig& config,
                                                 std::function<WallTime()> now = &std::chrono::system_clock::now);

}  // namespace smp

#endif  // SMP_KUBE_EXEC_PLUGIN_H_
