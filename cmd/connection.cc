#include "cmd/connection.h"

#include <algorithm>
#include <charconv>

#include "auth/auth_transport.h"
#include "auth/impersonation.h"
#include "base/environment.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "cmd/version.h"
#include "kube/schema_cache.h"
#include "net/logging_transport.h"
#include "net/paced_transport.h"
#include "value/escape.h"
#include "value/redact.h"

namespace smp::cmd {

namespace {

auth::ConnectionFlags ToConnectionFlags(const ParsedFlags& flags) {
  const std::vector<std::string>& files = flags.List("filename");
  return {
      .kubeconfig = flags.Text("kubeconfig"),
      .context = flags.Text("context"),
      .cluster = flags.Text("cluster"),
      .user = flags.Text("user"),
      .name_space = flags.Text("namespace"),
      .server = flags.Text("server"),
      .token = flags.Text("token"),
      .username = flags.Text("username"),
      .password = flags.Text("password"),
      .certificate_authority = flags.Text("certificate-authority"),
      .client_certificate = flags.Text("client-certificate"),
      .client_key = flags.Text("client-key"),
      .tls_server_name = flags.Text("tls-server-name"),
      .insecure_skip_tls_verify = flags.On("insecure-skip-tls-verify"),
      .proxy_url = flags.Text("proxy-url"),
      .disable_compression = flags.On("disable-compression"),
      .impersonate = {.user = flags.Text("as"), .uid = flags.Text("as-uid"), .groups = flags.List("as-group")},
      .as_user_extra = flags.List("as-user-extra"),
      .request_timeout = flags.Text("request-timeout"),
      .cache_dir = flags.Text("cache-dir"),
      .kuberc = flags.Text("kuberc"),
      .exec_timeout = flags.Text("exec-timeout"),
      .stdin_in_use = std::find(files.begin(), files.end(), "-") != files.end(),
  };
}

// In the form of kubectl's user agent: "kubectl/v1.36.0 (linux/amd64) …".
std::string UserAgent() { return StrCat("kubectl-smp/", ClientVersion(), " (", Platform(), ")"); }

// Returns the Authorization header with its secret masked, for the log; "" if there is none.
std::string_view ShownAuthorization(const auth::ConnectionConfig& config) {
  if (!config.token.empty() || !config.token_file.empty() || config.exec) return "Bearer <masked>";
  return config.username.empty() ? "" : "Basic <masked>";
}

// The log of -v.
net::TransportLog LogOf(const ParsedFlags& flags, const auth::ConnectionConfig& config,
                        const net::TransportOptions& options, Io& io) {
  net::TransportLog log;
  log.verbosity = flags.Number("v");
  log.server = config.server;
  log.headers = {{"User-Agent", options.user_agent}};
  for (auto& header : auth::ImpersonationHeaders(config.impersonate)) log.headers.push_back(std::move(header));
  if (const std::string_view shown = ShownAuthorization(config); !shown.empty()) {
    log.headers.emplace_back("Authorization", shown);
  }
  log.print = [&io](const std::string& entry) {
    Tell(io, StrCat(net::LogHeader(), Visible(SecretRegistry::Instance().Scrub(entry)), "\n"));
  };
  return log;
}

constexpr int kMostParallel = 100;  // API servers allow this many streams per connection

// Requests per second; 0: as many as the server takes. Error: invalid-argument.
Result<double> ToQueriesPerSecond(const ParsedFlags& flags) {
  if (!flags.Given("qps")) return 0.0;
  const std::string text = flags.Text("qps");
  double qps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), qps);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (number && qps > 0 && qps <= 1e6) return qps;
  return Error::InvalidArgument(StrCat("--qps must be a number greater than 0, not \"", text, "\""));
}

constexpr size_t kMaxPemBytes = 16UL << 20;

std::string Verifiers(const auth::ConnectionConfig& config) {
  const net::Pem& ca = config.certificate_authority;
  if (config.insecure_skip_tls_verify) return "nobody";
  if (!ca.given()) return StrCat("the system ", Environment("SSL_CERT_FILE"));
  const Result<std::string> file = ca.file.empty() ? ca.data : ReadWholeFile(ca.file, kMaxPemBytes, "the CA");
  return StrCat("a CA ", file.ok() ? *file : ca.file);
}

std::string TrustOf(const auth::ConnectionConfig& config) {
  return StrCat(Verifiers(config), '\0', config.tls_server_name);
}

// The cache key includes by what the server's certificate is verified, because that identifies the server. A server
// without TLS has another URL.
kube::SchemaCache CacheOf(const auth::ConnectionConfig& config) {
  return kube::SchemaCache(config.cache_dir, config.server, TrustOf(config));
}

}  // namespace

std::string ServerIdentity(const auth::ConnectionConfig& config) {
  return StrCat(config.server, '\0', TrustOf(config));
}

bool IsVerified(const auth::ConnectionConfig& config) {
  return config.server.starts_with("https://") && !config.insecure_skip_tls_verify;
}

std::vector<Flag> ConnectionFlagTable() {
  std::vector<Flag> flags = {
      {.name = "namespace",
       .letter = 'n',
       .placeholder = "NAMESPACE",
       .help = "namespace of objects whose manifest does not specify one; refuse manifests that specify another",
       .hint = Hint::kNamespace},
      FileFlag("kubeconfig", "kubeconfig to use instead of $KUBECONFIG and ~/.kube/config"),
      TextFlag("context", "NAME", "context of the kubeconfig", Hint::kContext),
      TextFlag("cluster", "NAME", "cluster of the kubeconfig", Hint::kCluster),
      TextFlag("user", "NAME", "user of the kubeconfig", Hint::kUser),
      {.name = "server", .letter = 's', .placeholder = "URL", .help = "address and port of the API server"},
      TextFlag("token", "TOKEN", "bearer token for authentication"),
      TextFlag("username", "NAME", "user name for basic authentication"),
      TextFlag("password", "TEXT", "password for basic authentication"),
      FileFlag("client-certificate", "client certificate for authentication"),
      FileFlag("client-key", "key of the client certificate"),
      TextFlag("as", "USER",
               "user to impersonate: a regular user or a service account (system:serviceaccount:NAMESPACE:NAME)"),
      {.name = "as-group",
       .kind = FlagKind::kArray,
       .placeholder = "GROUP",
       .help = "group to impersonate; can be repeated"},
      TextFlag("as-uid", "UID", "UID to impersonate"),
      {.name = "as-user-extra",
       .kind = FlagKind::kArray,
       .placeholder = "KEY=VALUE",
       .help = "extra field of the user to impersonate; can be repeated, also with the same key"},
      FileFlag("certificate-authority", "CA that signed the server's certificate"),
      TextFlag("tls-server-name", "NAME", "name to expect in the server's certificate"),
      Switch("insecure-skip-tls-verify", "do not verify the server's certificate (insecure)"),
      TextFlag("proxy-url", "URL", "proxy to the API server (http, https or socks5) instead of $HTTPS_PROXY"),
      Switch("disable-compression", "do not ask the server to compress responses"),
      {.name = "request-timeout",
       .placeholder = "DURATION",
       .help = "time limit for a single request, e.g. 30s (0: no limit)",
       .fallback = "0"},
      TextFlag(
          "exec-timeout", "DURATION",
          "time limit for a credential plugin (default 60s, or none where it may ask on the terminal; 0: no limit)"),
      TextFlag("cache-dir", "DIR", "directory to cache cluster schemas in, instead of $KUBECACHEDIR and ~/.kube/cache",
               Hint::kFolder),
      FileFlag("kuberc", "kuberc file with the credential plugin policy, instead of $KUBERC and ~/.kube/kuberc"),
  };
  for (const char* name : {"token", "username", "password", "client-certificate", "client-key", "as", "as-group",
                           "as-uid", "as-user-extra"}) {
    std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; })->group =
        FlagGroup::kCredentials;
  }
  return Grouped(FlagGroup::kConnection, std::move(flags));
}

std::vector<Flag> PaceFlags() {
  return Grouped(
      FlagGroup::kRequests,
      {{.name = "parallel",
        .kind = FlagKind::kNumber,
        .placeholder = "N",
        .help = "maximum number of requests in flight, 1 to 100; does not affect --order",
        .fallback = "16"},
       TextFlag("qps", "N", "maximum number of requests per second; by default, only the server limits them")});
}

Result<int> ToParallel(const ParsedFlags& flags) {
  if (flags.Given("concurrency")) {
    if (flags.Given("parallel")) return Error::InvalidArgument("--concurrency is another name of --parallel: give one");
    return std::clamp(flags.Number("concurrency"), 1, kMostParallel);
  }
  const int parallel = flags.Number("parallel");
  if (parallel >= 1 && parallel <= kMostParallel) return parallel;
  return Error::InvalidArgument(StrCat("--parallel must be a number from 1 to ", kMostParallel, ", not ", parallel));
}

Result<auth::ConnectionConfig> ChooseConnection(const ParsedFlags& flags) {
  return auth::LoadConnectionConfig(ToConnectionFlags(flags));
}

Result<auth::ConnectionConfig> ChooseOtherConnection(const ParsedFlags& flags, const std::string& context,
                                                     const std::string& name_space) {
  auth::ConnectionFlags all = ToConnectionFlags(flags);
  all.name_space = name_space;
  if (context.empty()) return auth::LoadConnectionConfig(all);
  return auth::LoadConnectionConfig({.kubeconfig = all.kubeconfig,
                                     .context = context,
                                     .name_space = name_space,
                                     .proxy_url = all.proxy_url,
                                     .disable_compression = all.disable_compression,
                                     .impersonate = all.impersonate,
                                     .as_user_extra = all.as_user_extra,
                                     .request_timeout = all.request_timeout,
                                     .cache_dir = all.cache_dir,
                                     .kuberc = all.kuberc,
                                     .exec_timeout = all.exec_timeout,
                                     .stdin_in_use = all.stdin_in_use});
}

Result<Connection> Connect(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(auth::ConnectionConfig config, ChooseConnection(flags));
  return ConnectTo(std::move(config), flags, io);
}

Result<Connection> ConnectTo(auth::ConnectionConfig config, const ParsedFlags& flags, Io& io) {
  Connection out;
  out.config = std::move(config);
  net::TransportOptions options;
  options.user_agent = UserAgent();
  if (flags.Given("parallel") || flags.Given("concurrency")) {
    SMP_ASSIGN(options.parallel, ToParallel(flags));
  }
  SMP_ASSIGN(const double qps, ToQueriesPerSecond(flags));
  SMP_ASSIGN(auto transport, auth::MakeAuthTransport(out.config, options));
  if (qps > 0) transport = net::PaceTransport(std::move(transport), qps, ProcessClock());
  transport = net::LogTransport(std::move(transport), LogOf(flags, out.config, options, io));
  kube::Client::Hooks hooks;
  hooks.notice = [&io](const std::string& text) { Warn(io, text); };  // does not count as a server warning
  out.warnings = std::make_shared<ServerWarnings>(io);
  hooks.warn = [warnings = out.warnings](const std::string& text, const kube::ObjectRef& ref) {
    warnings->Add(text, ref);
  };
  out.client = std::make_unique<kube::Client>(std::move(transport), std::move(hooks));
  out.schemas = std::make_unique<kube::SchemaSource>(out.client.get(), CacheOf(out.config));
  return out;
}

}  // namespace smp::cmd
