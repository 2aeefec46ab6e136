#include "auth/exec_credential.h"

#include "base/read_file.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "value/base64.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::auth {
namespace {

constexpr std::chrono::sys_seconds kLatest = std::chrono::sys_days(std::chrono::year(2201) / 1 / 1);
constexpr size_t kMaxCaBytes = 16UL << 20;

Result<std::string> CaData(const net::Pem& ca) {
  if (ca.file.empty()) return ca.data;
  return ReadWholeFile(ca.file, kMaxCaBytes, "certificate-authority");
}

// spec.cluster, for plugins that ask for it (provideClusterInfo).
Result<Value> ClusterInfo(const ConnectionConfig& config, Arena& arena) {
  SMP_ASSIGN(const std::string ca, CaData(config.certificate_authority));
  std::vector<Member> members = {{"server", arena.String(config.server)}};
  if (!config.tls_server_name.empty()) members.push_back({"tls-server-name", arena.String(config.tls_server_name)});
  if (config.insecure_skip_tls_verify) members.push_back({"insecure-skip-tls-verify", Value::Bool(true)});
  if (!ca.empty()) members.push_back({"certificate-authority-data", arena.String(EncodeBase64(ca))});
  if (!config.proxy_url.empty()) members.push_back({"proxy-url", arena.String(config.proxy_url)});
  if (config.disable_compression) members.push_back({"disable-compression", Value::Bool(true)});
  if (!config.exec->cluster_extension.empty()) {
    SMP_ASSIGN(const Document extension, ParseJson(config.exec->cluster_extension));
    arena.Retain(extension);
    members.push_back({"config", extension.root()});
  }
  return arena.Object(std::move(members));
}

Error BadOutput(std::string_view why) { return Error::Transport(StrCat("exec plugin ", why)); }

Result<ExecCredential> ReadStatus(const Value& status) {
  ExecCredential out;
  for (const auto& [name, text] : {std::pair("token", &out.token), std::pair("clientCertificateData", &out.certificate),
                                   std::pair("clientKeyData", &out.key)}) {
    const Value* value = status.Find(name);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_string()) return BadOutput(StrCat("returned a status.", name, " that is not a string"));
    *text = value->AsString();
  }
  if (out.token.empty() && out.certificate.empty() && out.key.empty()) {
    return BadOutput("didn't return a token or cert/key pair");
  }
  if (out.certificate.empty() != out.key.empty()) return BadOutput("returned only certificate or key, not both");
  const Value* expires = status.Find("expirationTimestamp");
  if (expires == nullptr || expires->is_null()) return out;
  const auto time = expires->is_string() ? ParseRfc3339(expires->AsString()) : std::nullopt;
  if (!time) {
    return BadOutput("returned an invalid status.expirationTimestamp; expected a time such as 2026-01-02T03:04:05Z");
  }
  // WallTime counts nanoseconds, which end in 2262; anything later counts as never.
  out.expires = time->seconds < kLatest ? WallTime(time->seconds) : WallTime::max();
  return out;
}

}  // namespace

Result<std::string> ExecInfo(const ConnectionConfig& config, Asking asking) {
  Arena arena;
  std::vector<Member> spec = {{"interactive", Value::Bool(asking == Asking::kAllowed)}};
  if (config.exec->provide_cluster_info) {
    SMP_ASSIGN(const Value cluster, ClusterInfo(config, arena));
    spec.push_back({"cluster", cluster});
  }
  return WriteJson(arena.Object({{"kind", arena.String("ExecCredential")},
                                 {"apiVersion", arena.String(config.exec->api_version)},
                                 {"spec", arena.Object(std::move(spec))}}));
}

Result<ExecCredential> ParseExecCredential(std::string_view output, std::string_view api_version) {
  Result<Document> document = ParseJson(output);
  if (!document.ok()) document = yaml::ParseYaml(output);  // client-go's decoder takes both
  if (!document.ok() || document->root().StringOr("kind") != "ExecCredential") {
    return BadOutput("did not print an ExecCredential in JSON or YAML");
  }
  const Value& root = document->root();
  if (root.StringOr("apiVersion") != api_version) {
    return BadOutput(StrCat("is configured to use API version ", api_version, ", plugin returned version ",
                            root.StringOr("apiVersion")));
  }
  const Value* status = root.Find("status");
  if (status == nullptr || !status->is_object()) return BadOutput("didn't return a status field");
  return ReadStatus(*status);
}

}  // namespace smp::auth
