#include "auth/exec_plugin.h"

#include <optional>

#include "auth/kuberc.h"
#include "auth/pem_check.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/redact.h"
#include "yaml/read_yaml.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxOutputBytes = 1UL << 20;

// --- what we send to and get from a plugin: ExecCredential of client.authentication.k8s.io/v1 and v1beta1

struct ExecCredential {
  std::string token;        // "": none
  std::string certificate;  // PEM; certificate and key are both given or both empty
  std::string key;
  std::optional<WallTime> expires;
};

enum class Asking { kAllowed, kNotAllowed };

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

// Returns the value of $KUBERNETES_EXEC_INFO. Error: invalid-argument, for a CA file that cannot be read.
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

// Parses the output of a plugin. Error: transport, without quoting the output.
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

// --- the plugin

Error CannotLogIn(std::string_view why) {
  return Error::Transport(StrCat("Unable to connect to the server: getting credentials: ", why));
}

// client-go's words, with the plugin's own hint.
Error NotInstalled(const ExecConfig& exec) {
  return CannotLogIn(
      StrCat("exec: executable ", exec.command,
             " not found\n\nIt looks like you are trying to use a client-go credential plugin that is not "
             "installed.\n\nTo learn more about this feature, consult the documentation available at:\n      "
             "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins",
             exec.install_hint.empty() ? "" : "\n\n", exec.install_hint));
}

Result<Asking> MayAsk(const ExecConfig& exec) {
  if (exec.interactive_mode == "Never") return Asking::kNotAllowed;
  const bool terminal = IsTerminal(StandardStream::kInput);
  if (exec.interactive_mode == "IfAvailable") {
    return terminal && !exec.stdin_in_use ? Asking::kAllowed : Asking::kNotAllowed;
  }
  const std::string_view why =
      exec.stdin_in_use ? "standard input is unavailable: used by -f -" : "standard input is not a terminal";
  if (terminal && !exec.stdin_in_use) return Asking::kAllowed;
  return CannotLogIn(StrCat("exec plugin cannot support interactive mode: ", why));
}

bool IsTokenSendable(std::string_view token) {
  return token.find_first_of(std::string_view(" \t\r\n\0", 5)) == std::string_view::npos;
}

// Returns "" if they can be used or there are none, else the reason.
std::string WhyNoCertificateAndKey(const ExecCredential& credential) {
  if (credential.certificate.empty()) return {};
  if (std::string why = WhyNoCertificate(credential.certificate); !why.empty()) return "clientCertificateData " + why;
  if (std::string why = WhyNoPrivateKey(credential.key); !why.empty()) return "clientKeyData " + why;
  return KeyBelongsTo(credential.key, credential.certificate) ? "" : "the key does not match the certificate";
}

class ExecPlugin : public CredentialSource {
 public:
  ExecPlugin(const ConnectionConfig& config, std::function<WallTime()> now) : config_(config), now_(std::move(now)) {}

  Result<Credentials> Get() override {
    // Running it again for every later request would fail again, and might ask the user each time.
    if (failure_) return *failure_;
    if (!credential_ || (credential_->expires && now_() > *credential_->expires)) {
      Result<ExecCredential> got = Run();
      if (!got.ok()) return failure_.emplace(std::move(got).error());
      credential_ = *std::move(got);
    }
    const std::string& token = credential_->token;
    return Credentials{
        token.empty() ? "" : "Bearer " + token, {.data = credential_->certificate}, {.data = credential_->key}};
  }
  void Forget() override {
    if (!gave_up_) credential_.reset();
  }
  void GiveUp() override { gave_up_ = true; }

 private:
  Result<ExecCredential> Run() const {
    const ExecConfig& exec = *config_.exec;
    SMP_ASSIGN(const Asking asking, MayAsk(exec));
    SMP_ASSIGN(const std::string output, Output(asking));
    Result<ExecCredential> credential = ParseExecCredential(output, exec.api_version);
    if (!credential.ok()) return CannotLogIn(credential.error().message);
    if (!IsTokenSendable(credential->token)) {
      return CannotLogIn("exec plugin returned a token that contains a space or newline");
    }
    SecretRegistry::Instance().RememberText(credential->token);
    SecretRegistry::Instance().RememberText(credential->key);
    if (const std::string why = WhyNoCertificateAndKey(*credential); !why.empty()) {
      return CannotLogIn(StrCat("exec plugin ", exec.command, " returned an unusable certificate or key: ", why));
    }
    return credential;
  }

  Result<std::string> Output(Asking asking) const {
    const ExecConfig& exec = *config_.exec;
    const Result<std::string> program = AllowedProgram(exec.command, exec.policy);
    if (!program.ok()) {
      return program.error().code == ErrorCode::kNotFound ? NotInstalled(exec) : CannotLogIn(program.error().message);
    }
    ProcessOptions options{.argv = {*program},
                           .environment = exec.environment,
                           .input = asking == Asking::kAllowed ? ChildInput::kInherit : ChildInput::kNothing,
                           .max_output_bytes = kMaxOutputBytes,
                           .timeout_ms = TimeoutMs(exec, IsTerminal(StandardStream::kInput))};
    options.argv.insert(options.argv.end(), exec.args.begin(), exec.args.end());
    SMP_ASSIGN(const std::string info, ExecInfo(config_, asking));
    options.environment.emplace_back("KUBERNETES_EXEC_INFO", info);
    Result<ProcessResult> result = RunProcess(options);
    if (!result.ok()) {
      return result.error().code == ErrorCode::kNotFound ? NotInstalled(exec)
                                                         : CannotLogIn(StrCat("exec: ", result.error().message));
    }
    if (result->exit_code != 0) {
      return CannotLogIn(StrCat("exec: executable ", exec.command, " failed with exit code ", result->exit_code,
                                "; run it to see why, or log in again"));
    }
    return std::move(result->out);
  }

  const ConnectionConfig config_;
  const std::function<WallTime()> now_;
  std::optional<ExecCredential> credential_;
  std::optional<Error> failure_;
  bool gave_up_ = false;
};

}  // namespace

int64_t TimeoutMs(const ExecConfig& exec, bool terminal) {
  constexpr int64_t kMinuteMs = 60'000;
  if (exec.timeout_ms) return *exec.timeout_ms > 0 ? *exec.timeout_ms : kNoTimeoutMs;
  return exec.interactive_mode != "Never" && terminal ? kNoTimeoutMs : kMinuteMs;
}

std::unique_ptr<CredentialSource> MakeExecPlugin(const ConnectionConfig& config, std::function<WallTime()> now) {
  return std::make_unique<ExecPlugin>(config, std::move(now));
}

}  // namespace smp::auth
