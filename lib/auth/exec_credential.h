// What we send to and get from an exec plugin: ExecCredential of client.authentication.k8s.io/v1 and v1beta1.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp::auth {

using WallTime = std::chrono::system_clock::time_point;

struct ExecCredential {
  std::string token;        // "": none
  std::string certificate;  // PEM; certificate and key are both given or both empty
  std::string key;
  std::optional<WallTime> expires;
};

enum class Asking { kAllowed, kNotAllowed };

// Returns the value of $KUBERNETES_EXEC_INFO. Error: invalid-argument, for a CA file that cannot be read.
Result<std::string> ExecInfo(const ConnectionConfig& config, Asking asking);

// Parses the output of a plugin. Error: transport, without quoting the output.
Result<ExecCredential> ParseExecCredential(std::string_view output, std::string_view api_version);

}  // namespace smp::auth
