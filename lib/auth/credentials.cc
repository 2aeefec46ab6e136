#include "auth/credentials.h"

#include "auth/bearer_token.h"
#include "auth/exec_plugin.h"
#include "base/clock.h"
#include "base/strings.h"
#include "value/base64.h"
#include "value/redact.h"

namespace smp::auth {
namespace {

std::string BasicAuthorization(const ConnectionConfig& config) {
  if (config.username.empty()) return {};
  return "Basic " + EncodeBase64(StrCat(config.username, ":", config.password));
}

// Credentials from the kubeconfig, flags or a service account.
class ConfigCredentials : public CredentialSource {
 public:
  explicit ConfigCredentials(const ConnectionConfig& config)
      : token_(config.token, config.token_file),
        basic_(BasicAuthorization(config)),
        certificate_(config.client_certificate),
        key_(config.client_key) {}

  Result<Credentials> Get() override {
    SMP_ASSIGN(const std::string token, token_.Get(MonotonicMs()));
    if (token != known_token_) SecretRegistry::Instance().RememberText(token);
    known_token_ = token;
    return Credentials{token.empty() ? basic_ : "Bearer " + token, certificate_, key_};
  }
  void Forget() override { token_.Forget(); }

 private:
  BearerToken token_;
  std::string known_token_;  // the last one given to the SecretRegistry
  const std::string basic_;
  const net::Pem certificate_;
  const net::Pem key_;
};

bool SamePem(const net::Pem& a, const net::Pem& b) { return a.file == b.file && a.data == b.data; }

}  // namespace

bool operator==(const Credentials& a, const Credentials& b) {
  return a.authorization == b.authorization && SamePem(a.certificate, b.certificate) && SamePem(a.key, b.key);
}

Result<std::unique_ptr<CredentialSource>> MakeCredentialSource(const ConnectionConfig& config) {
  if (config.exec) return MakeExecPlugin(config);
  std::unique_ptr<CredentialSource> source = std::make_unique<ConfigCredentials>(config);
  SMP_TRY(source->Get());  // report an unusable token before anything is sent
  return source;
}

}  // namespace smp::auth
