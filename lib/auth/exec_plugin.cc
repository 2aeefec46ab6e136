#include "auth/exec_plugin.h"

#include <unistd.h>

#include "auth/kuberc.h"
#include "auth/pem_check.h"
#include "base/process.h"
#include "base/strings.h"
#include "value/redact.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxOutputBytes = 1UL << 20;

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
  const bool terminal = isatty(STDIN_FILENO) == 1;
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
                           .timeout_ms = exec.timeout_ms};
    options.argv.insert(options.argv.end(), exec.args.begin(), exec.args.end());
    SMP_ASSIGN(const std::string info, ExecInfo(config_, asking));
    options.environment.emplace_back("KUBERNETES_EXEC_INFO", info);
    Result<ProcessResult> result = RunProcess(options);
    if (!result.ok()) {
      return result.error().code == ErrorCode::kNotFound ? NotInstalled(exec)
                                                         : CannotLogIn(StrCat("exec: ", result.error().message));
    }
    if (result->exit_code != 0) {
      return CannotLogIn(StrCat("exec: executable ", exec.command, " failed with exit code ", result->exit_code));
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

std::unique_ptr<CredentialSource> MakeExecPlugin(const ConnectionConfig& config, std::function<WallTime()> now) {
  return std::make_unique<ExecPlugin>(config, std::move(now));
}

}  // namespace smp::auth
