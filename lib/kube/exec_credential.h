// The texts between us and an exec plugin: ExecCredential of client.authentication.k8s.io/v1 and v1beta1.
#ifndef SMP_KUBE_EXEC_CREDENTIAL_H_
#define SMP_KUBE_EXEC_CREDENTIAL_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/kubeconfig.h"

namespace smp {

using WallTime = std::chrono::system_clock::time_point;

struct ExecCredential {
  std::string token;        // "": none
  std::string certificate;  // PEM, with its key or both empty
  std::string key;
  std::optional<WallTime> expires;
};

enum class Asking { kAllowed, kNotAllowed };

// The value of $KUBERNETES_EXEC_INFO. Error: invalid-argument, for a CA file that cannot be read.
Result<std::string> ExecInfo(const ConnectionConfig& config, Asking asking);

// What a plugin printed. Error: transport, which quotes nothing of it.
Result<ExecCredential> ParseExecCredential(std::string_view output, std::string_view api_version);

// RFC 3339, as in "2026-01-02T03:04:05Z" and "2026-01-02T03:04:05.5+01:00"; nothing: it is something else.
std::optional<WallTime> ParseRfc3339(std::string_view text);

}  // namespace smp

#endif  // SMP_KUBE_EXEC_CREDENTIAL_H_
