// kuberc, the user's preferences for kubectl. Only the rules for exec plugins are read: credentialPluginPolicy and
// credentialPluginAllowlist (kubectl 1.35 and later).
#pragma once

#include <string>
#include <string_view>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp::auth {

// Parses the text of a kuberc. Error: parse, also for a policy that client-go rejects as misconfigured.
Result<PluginPolicy> ParsePluginPolicy(std::string_view text, const std::string& file);

// Reads --kuberc, else $KUBERC, else ~/.kube/kuberc. All plugins may run if ~/.kube/kuberc does not exist, if $KUBERC
// is "off" or if $KUBECTL_KUBERC is "false".
// Differs from kubectl: a kuberc that exists but cannot be read is an error, even at the default path, where kubectl
// warns and lets all plugins run.
Result<PluginPolicy> LoadPluginPolicy(const std::string& kuberc_flag);

// Returns the path of the program to run for `command`. Errors: refused if the policy does not allow it; not-found if
// there is no such program.
Result<std::string> AllowedProgram(const std::string& command, const PluginPolicy& policy);

}  // namespace smp::auth
