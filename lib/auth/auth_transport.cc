#include "auth/auth_transport.h"

#include <mutex>
#include <optional>

#include "auth/impersonation.h"
#include "base/strings.h"

namespace smp::auth {
namespace {

// The current headers; the inner transport's thread reads them.
class CurrentHeaders {
 public:
  void Set(net::Headers headers) {
    const std::lock_guard lock(mutex_);
    headers_ = std::move(headers);
  }
  net::Headers Get() const {
    const std::lock_guard lock(mutex_);
    return headers_;
  }

 private:
  mutable std::mutex mutex_;
  net::Headers headers_;
};

class AuthTransport : public net::Transport {
 public:
  AuthTransport(std::unique_ptr<CredentialSource> source, net::Headers impersonation, ConnectFunction connect,
                std::string refusal_hint)
      : source_(std::move(source)),
        impersonation_(std::move(impersonation)),
        connect_(std::move(connect)),
        refusal_hint_(std::move(refusal_hint)) {}

  Result<net::HttpResponse> Send(const net::HttpRequest& request) override {
    return std::move(SendAll({request}).front());
  }

  std::vector<Result<net::HttpResponse>> SendAll(const std::vector<net::HttpRequest>& requests) override {
    std::vector<Result<net::HttpResponse>> answers = SendLoggedIn(requests);
    for (const size_t i : Refused(answers)) answers[i]->hint = refusal_hint_;
    return answers;
  }

 private:
  // A connection and the credentials it was made with. A replaced connection lives until its last request is answered.
  struct Session {
    std::shared_ptr<net::Transport> inner;
    Credentials credentials;
  };

  std::vector<Result<net::HttpResponse>> SendLoggedIn(const std::vector<net::HttpRequest>& requests) {
    const Result<Session> session = LogIn();
    if (!session.ok()) return std::vector<Result<net::HttpResponse>>(requests.size(), session.error());
    std::vector<Result<net::HttpResponse>> answers = session->inner->SendAll(requests);
    const std::vector<size_t> refused = Refused(answers);
    if (refused.empty()) return answers;

    const Result<std::optional<Session>> next = LogInAgain(*session);
    if (next.ok() && !*next) return answers;
    std::vector<net::HttpRequest> again;
    for (const size_t i : refused) again.push_back(requests[i]);
    std::vector<Result<net::HttpResponse>> second =
        next.ok() ? (*next)->inner->SendAll(again) : std::vector<Result<net::HttpResponse>>(again.size(), next.error());
    if (!Refused(second).empty()) GiveUp();
    for (size_t i = 0; i < refused.size(); ++i) answers[refused[i]] = std::move(second[i]);
    return answers;
  }

  static std::vector<size_t> Refused(const std::vector<Result<net::HttpResponse>>& answers) {
    std::vector<size_t> out;
    for (size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].ok() && answers[i]->status == 401) out.push_back(i);
    }
    return out;
  }

  Result<Session> LogIn() {
    const std::lock_guard lock(mutex_);
    return LogInLocked();
  }

  // Returns nullopt if there are no other credentials to log in with.
  Result<std::optional<Session>> LogInAgain(const Session& refused) {
    const std::lock_guard lock(mutex_);
    // If they differ, another thread has already logged in again after the same answer.
    if (session_.credentials == refused.credentials) source_->Forget();
    SMP_ASSIGN(Session session, LogInLocked());
    if (session.credentials == refused.credentials) {
      source_->GiveUp();
      return std::optional<Session>();
    }
    return std::optional<Session>(std::move(session));
  }

  Result<Session> LogInLocked() {
    SMP_ASSIGN(Credentials credentials, source_->Get());
    const bool same_certificate = credentials.certificate.data == session_.credentials.certificate.data &&
                                  credentials.certificate.file == session_.credentials.certificate.file;
    if (session_.inner == nullptr || !same_certificate) {
      SMP_ASSIGN(session_.inner, connect_(credentials, [this] { return headers_.Get(); }));
    }
    net::Headers headers = impersonation_;
    if (!credentials.authorization.empty()) headers.emplace_back("Authorization", credentials.authorization);
    headers_.Set(std::move(headers));
    session_.credentials = std::move(credentials);
    return session_;
  }

  void GiveUp() {
    const std::lock_guard lock(mutex_);
    source_->GiveUp();
  }

  CurrentHeaders headers_;  // declared before session_, whose thread reads it
  std::mutex mutex_;        // also held while an exec plugin runs, so that only one thread asks the user
  const std::unique_ptr<CredentialSource> source_;
  const net::Headers impersonation_;
  const ConnectFunction connect_;
  const std::string refusal_hint_;
  Session session_;
};

bool HasCredentials(const ConnectionConfig& config) {
  return config.exec || config.client_certificate.given() ||
         !(config.token + config.token_file + config.username).empty();
}

// Returns the hint for a 401: whose credentials were refused, and what to do.
std::string RefusalHint(const ConnectionConfig& config) {
  if (!config.server.starts_with("https://")) return "credentials are not sent over plain http; use an https server";
  const std::string context = config.context.empty() ? "" : StrCat(" (context \"", config.context, "\")");
  const std::string whose = StrCat(" of user \"", config.user, "\"", context);
  if (config.credentials_of_flags)
    return "the server does not accept the credentials of the command line; get new ones";
  if (!HasCredentials(config)) {
    return config.user.empty() ? "no credentials were given; log in, or use --token or --client-certificate"
                               : StrCat("the kubeconfig has no credentials", whose, "; log in");
  }
  return StrCat("the server does not accept the credentials", config.user.empty() ? " of this Pod" : whose,
                "; log in again");
}

}  // namespace

std::unique_ptr<net::Transport> MakeAuthTransport(std::unique_ptr<CredentialSource> source, net::Headers impersonation,
                                                  ConnectFunction connect, std::string refusal_hint) {
  return std::make_unique<AuthTransport>(std::move(source), std::move(impersonation), std::move(connect),
                                         std::move(refusal_hint));
}

Result<std::unique_ptr<net::Transport>> MakeAuthTransport(const ConnectionConfig& config,
                                                          const net::TransportOptions& options) {
  const bool tls = config.server.starts_with("https://");
  // Credentials are never sent over plain http.
  const ConnectionConfig with = tls ? config : ConnectionConfig{};
  SMP_ASSIGN(std::unique_ptr<CredentialSource> source, MakeCredentialSource(with));
  SMP_TRY(CheckImpersonation(config.impersonate, config.user));
  // Report a bad address now, not after a program has asked for a password.
  SMP_TRY(net::CheckConnection(config));
  const auto connect = [config, options](const Credentials& credentials, std::function<net::Headers()> headers) {
    ConnectionConfig of_credentials = config;
    of_credentials.client_certificate = credentials.certificate;
    of_credentials.client_key = credentials.key;
    net::TransportOptions with_headers = options;
    with_headers.credentials = std::move(headers);
    return net::MakeCurlTransport(of_credentials, with_headers);
  };
  return MakeAuthTransport(std::move(source), ImpersonationHeaders(config.impersonate), connect, RefusalHint(config));
}

}  // namespace smp::auth
