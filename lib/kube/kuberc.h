// kuberc, the user's preferences for kubectl. All that counts here is which exec plugins may run:
// credentialPluginPolicy and credentialPluginAllowlist (kubectl 1.35 and later).
#ifndef SMP_KUBE_KUBERC_H_
#define SMP_KUBE_KUBERC_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/kubeconfig.h"

namespace smp {

// Of the text of a kuberc. Errors: parse, also for a policy that client-go calls misconfigured.
Result<PluginPolicy> ParsePluginPolicy(std::string_view text, const std::string& file);

// Of --kuberc, else $KUBERC, else ~/.kube/kuberc; all plugins may run where that last one does not exist, where $KUBERC
// is "off" and where $KUBECTL_KUBERC is false.
// Differs from kubectl: a kuberc that is there and cannot be read is an error, also at its usual place, where kubectl
// warns and lets all plugins run.
Result<PluginPolicy> LoadPluginPolicy(const std::string& kuberc_flag);

// The path of the program to run for `command`. Errors: refused, when the policy does not allow it; not-found when
// there is no such program.
Result<std::string> AllowedProgram(const std::string& command, const PluginPolicy& policy);

}  // namespace smp

#endif  // SMP_KUBE_KUBERC_H_
