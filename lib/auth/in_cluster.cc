#include "auth/in_cluster.h"

#include <filesystem>
#include <system_error>

#include "base/environment.h"
#include "base/read_file.h"
#include "base/strings.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxNamespaceBytes = 4096;

bool IsFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

}  // namespace

std::optional<InClusterEntries> FindInCluster(const std::string& folder) {
  const std::string host = Environment("KUBERNETES_SERVICE_HOST");
  const std::string port = Environment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty() || !IsFile(folder + "/token")) return std::nullopt;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  InClusterEntries out;
  out.cluster.server = StrCat("https://", is_ipv6 ? StrCat("[", host, "]") : host, ":", port);
  if (IsFile(folder + "/ca.crt")) out.cluster.certificate_authority.file = folder + "/ca.crt";
  out.user.token_file = folder + "/token";
  return out;
}

std::string InClusterNamespace(const std::string& folder) {
  if (!FindInCluster(folder)) return {};
  if (std::string name = Environment("POD_NAMESPACE"); !name.empty()) return name;
  const Result<std::string> text = ReadWholeFile(folder + "/namespace", kMaxNamespaceBytes, "the namespace");
  return text.ok() ? std::string(Trim(*text)) : std::string();
}

}  // namespace smp::auth
