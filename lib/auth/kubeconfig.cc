#include "auth/kubeconfig.h"

#include <filesystem>
#include <system_error>

#include "auth/impersonation.h"
#include "auth/kubeconfig_file.h"
#include "auth/kuberc.h"
#include "auth/pem_check.h"
#include "base/duration.h"
#include "base/environment.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "base/user_folders.h"
#include "net/proxy_rules.h"
#include "net/server_url.h"
#include "value/redact.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxPemBytes = 16UL << 20;

Error Invalid(std::string message, const Source& source = {}) {
  return {ErrorCode::kInvalidArgument, std::move(message), "", source};
}

// Returns `flag` if it was given a value, else "".
std::string_view IfGiven(std::string_view flag, std::string_view value) {
  return value.empty() ? std::string_view() : flag;
}

// Returns an error that names the flag, or the kubeconfig's file and line if `flag` is "".
Error InvalidFrom(std::string_view flag, const std::string& message, const Source& source) {
  return flag.empty() ? Invalid(message, source) : Invalid(StrCat("--", flag, ": ", message));
}

// Returns "a, b, c", or "none"; cuts off long lists.
template <class Entry>
std::string Names(const std::map<std::string, Entry>& entries) {
  constexpr size_t kMost = 20;
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) {
    if (names.size() < kMost) names.push_back(name);
  }
  if (names.empty()) return "none";
  return Join(names, ", ") + (entries.size() > kMost ? ", …" : "");
}

// kubectl falls back to http://localhost:8080 here, which only hides that no kubeconfig was found.
Error NothingChosen(const Kubeconfig& files) {
  if (!files.files.empty()) {
    return Invalid(StrCat("no context chosen: ", Join(files.files, ", "),
                          " has no current-context - choose one with --context (contexts: ", Names(files.contexts),
                          ")"));
  }
  const std::string why =
      files.missing.empty() ? "neither KUBECONFIG nor HOME is set" : Join(files.missing, ", ") + ": no such file";
  return Invalid(StrCat("no configuration has been provided: ", why,
                        " - specify a kubeconfig with --kubeconfig or KUBECONFIG, or a server with --server"));
}

Result<ContextEntry> ChooseContext(const Kubeconfig& files, const ConnectionFlags& flags, std::string& name) {
  name = flags.context.empty() ? files.current_context : flags.context;
  if (const auto at = files.contexts.find(name); at != files.contexts.end()) return at->second;
  if (name.empty()) {
    if (flags.server.empty() && flags.cluster.empty()) return NothingChosen(files);
    return ContextEntry{};
  }
  if (files.files.empty()) return NothingChosen(files);
  const std::string_view whence = flags.context.empty() ? " (the current-context)" : "";
  return Invalid(StrCat("context was not found for specified context: ", name, whence, " - contexts of ",
                        Join(files.files, ", "), ": ", Names(files.contexts)));
}

Result<ClusterEntry> ChooseCluster(const Kubeconfig& files, const ConnectionFlags& flags, const ContextEntry& context,
                                   ConnectionConfig& config) {
  config.cluster = flags.cluster.empty() ? context.cluster : flags.cluster;
  if (const auto at = files.clusters.find(config.cluster); at != files.clusters.end()) return at->second;
  if (!flags.cluster.empty()) {
    return Invalid(
        StrCat("cluster \"", flags.cluster, "\" does not exist - clusters of the kubeconfig: ", Names(files.clusters)));
  }
  if (!flags.server.empty()) return ClusterEntry{};  // --server is all that is needed
  if (context.cluster.empty()) {
    return Invalid(StrCat("cluster was not specified for context \"", config.context, "\""), context.source);
  }
  return Invalid(StrCat("cluster \"", context.cluster, "\" was not found for context \"", config.context,
                        "\" - clusters of the kubeconfig: ", Names(files.clusters)),
                 context.source);
}

// kubectl continues without credentials if the user of a context is missing; the server's 401 then hides the cause.
Result<UserEntry> ChooseUser(const Kubeconfig& files, const ConnectionFlags& flags, const ContextEntry& context,
                             ConnectionConfig& config) {
  config.user = flags.user.empty() ? context.user : flags.user;
  if (const auto at = files.users.find(config.user); at != files.users.end()) return at->second;
  if (!flags.user.empty()) {
    return Invalid(
        StrCat("auth info \"", flags.user, "\" does not exist - users of the kubeconfig: ", Names(files.users)));
  }
  if (context.user.empty() || !flags.token.empty() || !flags.client_certificate.empty() || !flags.username.empty()) {
    return UserEntry{};
  }
  return Invalid(StrCat("user \"", context.user, "\" was not found for context \"", config.context,
                        "\" - users of the kubeconfig: ", Names(files.users)),
                 context.source);
}

Status CheckReadable(const std::string& file, std::string_view what, const Source& source) {
  if (file.empty()) return Ok();
  const Result<std::string> text = ReadWholeFile(file, kMaxPemBytes, what);
  return text.ok() ? Ok() : Status(Invalid(text.error().message, source));
}

// Returns the bytes of `name`, given by `flag` or a kubeconfig.
Result<std::string> PemText(const net::Pem& pem, std::string_view name, std::string_view flag) {
  if (pem.file.empty()) return pem.data;
  Result<std::string> text = ReadWholeFile(pem.file, kMaxPemBytes, name);
  if (!text.ok()) return InvalidFrom(flag, text.error().message, pem.source);
  return text;
}

// `why` comes from pem_check.h; "" is no error.
Status CheckPem(const std::string& why, const net::Pem& pem, std::string_view name, std::string_view flag) {
  if (why.empty()) return Ok();
  const std::string what = pem.file.empty() ? StrCat(name, "-data") : StrCat(name, " ", pem.file);
  return InvalidFrom(flag, StrCat(what, " ", why), pem.source);
}

Status CheckAuthority(const net::Pem& authority, std::string_view flag) {
  if (!authority.given()) return Ok();
  constexpr std::string_view kName = "certificate-authority";
  SMP_ASSIGN(const std::string pem, PemText(authority, kName, flag));
  return CheckPem(WhyNoCaBundle(pem), authority, kName, flag);
}

// The rules of client-go's getCluster: a CA or --insecure-skip-tls-verify on the command line replaces both settings of
// the kubeconfig, and --server drops its tls-server-name.
void OverrideCluster(const ConnectionFlags& flags, ClusterEntry& cluster) {
  if (!flags.server.empty()) cluster.server = flags.server;
  if (flags.insecure_skip_tls_verify || !flags.certificate_authority.empty()) {
    cluster.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
    cluster.certificate_authority = {.file = flags.certificate_authority};
  }
  if (!flags.server.empty() || !flags.tls_server_name.empty()) cluster.tls_server_name = flags.tls_server_name;
  if (!flags.proxy_url.empty()) cluster.proxy_url = flags.proxy_url;
  if (flags.disable_compression) cluster.disable_compression = true;
}

Status SetCluster(const ClusterEntry& cluster, const ConnectionFlags& flags, ConnectionConfig& config) {
  if (cluster.server.empty()) {
    return Invalid(StrCat("no server found for cluster \"", config.cluster, "\""), cluster.source);
  }
  Result<net::ServerUrl> url = net::ParseServerUrl(cluster.server);
  if (!url.ok()) return InvalidFrom(IfGiven("server", flags.server), url.error().message, cluster.source);
  if (!cluster.proxy_url.empty()) {
    const Result<net::ProxyUrl> proxy = net::ParseProxyUrl(cluster.proxy_url);
    if (!proxy.ok()) {
      if (!flags.proxy_url.empty()) return InvalidFrom("proxy-url", proxy.error().message, {});
      return Invalid(StrCat("invalid proxy-url for cluster \"", config.cluster, "\": ", proxy.error().message),
                     cluster.source);
    }
    SecretRegistry::Instance().RememberText(proxy->password);
  }
  const std::string_view ca_flag = IfGiven("certificate-authority", flags.certificate_authority);
  if (cluster.insecure_skip_tls_verify && cluster.certificate_authority.given()) {
    return InvalidFrom(ca_flag,
                       "specifying a root certificates file with the insecure flag is not allowed; "
                       "remove certificate-authority or insecure-skip-tls-verify",
                       cluster.source);
  }
  SMP_TRY(CheckAuthority(cluster.certificate_authority, ca_flag));
  config.server = url->ToString();
  config.certificate_authority = cluster.certificate_authority;
  config.insecure_skip_tls_verify = cluster.insecure_skip_tls_verify;
  config.tls_server_name = cluster.tls_server_name;
  config.proxy_url = cluster.proxy_url;
  config.disable_compression = cluster.disable_compression;
  return Ok();
}

void OverrideUser(const ConnectionFlags& flags, UserEntry& user) {
  if (!flags.token.empty()) {
    user.token = flags.token;
    user.token_file.clear();
  }
  if (!flags.username.empty()) user.username = flags.username;
  if (!flags.password.empty()) user.password = flags.password;
  if (!flags.client_certificate.empty()) user.client_certificate = {.file = flags.client_certificate};
  if (!flags.client_key.empty()) user.client_key = {.file = flags.client_key};
}

// An exec plugin runs only if the user has no other credentials (client-go, UpdateTransportConfig).
bool HasOtherCredentials(const UserEntry& user) {
  return !user.token.empty() || !user.token_file.empty() || !user.username.empty() || user.client_certificate.given();
}

// client-go had these built in until 1.26 (gcp, azure); exec plugins have replaced all three.
std::string_view ExecSuccessor(std::string_view auth_provider) {
  if (auth_provider == "gcp") {
    return "gke-gcloud-auth-plugin (gcloud container clusters get-credentials writes such a kubeconfig)";
  }
  if (auth_provider == "azure") return "kubelogin of Azure (kubelogin convert-kubeconfig rewrites the kubeconfig)";
  if (auth_provider == "oidc") return "kubelogin, also known as kubectl oidc-login (kubectl oidc-login setup)";
  return "one of the provider";
}

Status CheckAuthProvider(const UserEntry& user, const std::string& name) {
  if (user.auth_provider.empty()) return Ok();
  return Invalid(
      StrCat("user \"", name, "\" logs in with the auth-provider \"", user.auth_provider,
             "\", which is not supported - use an exec credential plugin instead: ", ExecSuccessor(user.auth_provider)),
      user.source);
}

// client-go's validateAuthInfo.
Status CheckExec(const ExecConfig& exec, const std::string& name, const Source& source) {
  const auto must = [&](std::string_view what) {
    return Invalid(StrCat(what, " must be specified for ", name, " to use exec authentication plugin"), source);
  };
  if (exec.command.empty()) return must("command");
  if (exec.api_version.empty()) return must("apiVersion");
  if (exec.api_version != "client.authentication.k8s.io/v1" &&
      exec.api_version != "client.authentication.k8s.io/v1beta1") {
    return Invalid(StrCat("exec plugin: invalid apiVersion \"", exec.api_version, "\" for ", name,
                          "; it must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1"),
                   source);
  }
  for (const auto& [variable, value] : exec.environment) {
    if (variable.empty()) return must("env variable name");
  }
  const std::string& mode = exec.interactive_mode;
  if (mode.empty()) return must("interactiveMode (Never, IfAvailable or Always)");
  if (mode == "Never" || mode == "IfAvailable" || mode == "Always") return Ok();
  return Invalid(
      StrCat("invalid interactiveMode for ", name, ": \"", mode, "\"; it must be Never, IfAvailable or Always"),
      source);
}

Status CheckClientCertificate(const UserEntry& user, const ConnectionFlags& flags, const std::string& name) {
  const net::Pem& certificate = user.client_certificate;
  const std::string_view of_certificate = IfGiven("client-certificate", flags.client_certificate);
  const std::string_view of_key = IfGiven("client-key", flags.client_key);
  if (certificate.given() && !user.client_key.given()) {
    return InvalidFrom(of_certificate,
                       StrCat("client-key-data or client-key must be specified for ", name.empty() ? "the user" : name,
                              " to use the clientCert authentication method"),
                       certificate.source);
  }
  SMP_ASSIGN(const std::string certificate_pem, PemText(certificate, "client-certificate", of_certificate));
  SMP_ASSIGN(const std::string key_pem, PemText(user.client_key, "client-key", of_key));
  if (!certificate.given()) return Ok();  // a key alone is not used
  SMP_TRY(CheckPem(WhyNoCertificate(certificate_pem), certificate, "client-certificate", of_certificate));
  SMP_TRY(CheckPem(WhyNoPrivateKey(key_pem), user.client_key, "client-key", of_key));
  if (KeyBelongsTo(key_pem, certificate_pem)) return Ok();
  return InvalidFrom(of_key.empty() ? of_certificate : of_key, "client-key does not match client-certificate",
                     user.client_key.source);
}

Status CheckCredentials(const UserEntry& user, const ConnectionFlags& flags, const std::string& name) {
  if (!user.token.empty() && !(user.username + user.password).empty()) {
    const std::string_view of_token = IfGiven("token", flags.token);
    return InvalidFrom(of_token.empty() ? IfGiven("username", flags.username) : of_token,
                       StrCat("more than one authentication method found for ", name.empty() ? "the user" : name,
                              "; found [token basicAuth], only one is allowed"),
                       user.source);
  }
  SMP_TRY(CheckClientCertificate(user, flags, name));
  if (!user.token.empty()) return Ok();
  return CheckReadable(user.token_file, "tokenFile", user.source);
}

Status SetExec(const UserEntry& user, const ClusterEntry& cluster, const ConnectionFlags& flags,
               ConnectionConfig& config) {
  if (HasOtherCredentials(user)) return Ok();
  SMP_TRY(CheckAuthProvider(user, config.user));
  if (!user.exec) return Ok();
  SMP_TRY(CheckExec(*user.exec, config.user, user.source));
  config.exec = user.exec;
  config.exec->cluster_extension = cluster.exec_extension;
  config.exec->stdin_in_use = flags.stdin_in_use;
  SMP_ASSIGN(config.exec->policy, LoadPluginPolicy(flags.kuberc));
  return Ok();
}

void RememberSecrets(const ConnectionConfig& config) {
  SecretRegistry& secrets = SecretRegistry::Instance();
  secrets.RememberText(config.token);
  secrets.RememberText(config.password);
  secrets.RememberText(config.client_key.data);
  if (!config.username.empty()) secrets.RememberText(StrCat(config.username, ":", config.password));
}

Status SetUser(const UserEntry& user, const ConnectionFlags& flags, ConnectionConfig& config) {
  SMP_TRY(CheckCredentials(user, flags, config.user));
  config.credentials_of_flags = !(flags.token + flags.username + flags.client_certificate).empty();
  config.token = user.token;
  config.token_file = user.token_file;
  config.username = user.username;
  config.password = user.password;
  if (!user.client_certificate.given()) return Ok();
  config.client_certificate = user.client_certificate;
  config.client_key = user.client_key;
  return Ok();
}

// --- the service account of the Pod that the program runs in (client-go, rest.InClusterConfig)

constexpr size_t kMaxNamespaceBytes = 4096;

bool IsFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

struct Chosen {
  ContextEntry context;
  ClusterEntry cluster;
  UserEntry user;
};

// Returns nullopt outside of a Pod: $KUBERNETES_SERVICE_HOST or _PORT is not set, or `folder` has no token.
std::optional<Chosen> FindInCluster(const std::string& folder) {
  const std::string host = Environment("KUBERNETES_SERVICE_HOST");
  const std::string port = Environment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty() || !IsFile(folder + "/token")) return std::nullopt;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  Chosen out;
  out.cluster.server = StrCat("https://", is_ipv6 ? StrCat("[", host, "]") : host, ":", port);
  if (IsFile(folder + "/ca.crt")) out.cluster.certificate_authority.file = folder + "/ca.crt";
  out.user.token_file = folder + "/token";
  return out;
}

// Returns $POD_NAMESPACE, else the namespace file in `folder`; "" outside of a Pod.
std::string InClusterNamespace(const std::string& folder) {
  if (!FindInCluster(folder)) return {};
  if (std::string name = Environment("POD_NAMESPACE"); !name.empty()) return name;
  const Result<std::string> text = ReadWholeFile(folder + "/namespace", kMaxNamespaceBytes, "the namespace");
  return text.ok() ? std::string(Trim(*text)) : std::string();
}

// --- all together

Result<Chosen> Choose(const ConnectionFlags& flags, const Kubeconfig& files, ConnectionConfig& config) {
  const bool by_context = !flags.context.empty() || !files.current_context.empty();
  // Differs from kubectl: it ignores the service account if --as, --request-timeout or --disable-compression is given,
  // and then finds no server at all.
  if (!by_context && flags.server.empty() && flags.cluster.empty() && flags.user.empty()) {
    if (std::optional<Chosen> pod = FindInCluster(flags.service_account_dir)) return *std::move(pod);
  }
  Chosen chosen;
  SMP_ASSIGN(chosen.context, ChooseContext(files, flags, config.context));
  SMP_ASSIGN(chosen.cluster, ChooseCluster(files, flags, chosen.context, config));
  SMP_ASSIGN(chosen.user, ChooseUser(files, flags, chosen.context, config));
  return chosen;
}

// As in kubectl, the Pod's namespace is the default even if a kubeconfig chooses the cluster.
std::string Namespace(const ConnectionFlags& flags, const ContextEntry& context) {
  if (!flags.name_space.empty()) return flags.name_space;
  if (!context.name_space.empty()) return context.name_space;
  const std::string of_pod = InClusterNamespace(flags.service_account_dir);
  return of_pod.empty() ? "default" : of_pod;
}

std::string CacheDir(const std::string& flag) {
  if (!flag.empty()) return flag;
  return Environment("KUBECACHEDIR", InHome(".kube/cache"));
}

Status SetExecTimeout(const std::string& text, ConnectionConfig& config) {
  if (text.empty()) return Ok();
  const Result<int64_t> timeout_ms = ParseTimeoutMs(text);
  if (!timeout_ms.ok()) return Error::InvalidArgument(StrCat("--exec-timeout: ", timeout_ms.error().message));
  if (config.exec) config.exec->timeout_ms = *timeout_ms;
  return Ok();
}

}  // namespace

Result<ConnectionConfig> LoadConnectionConfig(const ConnectionFlags& flags) {
  SMP_ASSIGN(const Kubeconfig files, ReadKubeconfigFiles(flags.kubeconfig));
  ConnectionConfig config;
  SMP_ASSIGN(Chosen chosen, Choose(flags, files, config));
  OverrideCluster(flags, chosen.cluster);
  SMP_TRY(SetCluster(chosen.cluster, flags, config));
  OverrideUser(flags, chosen.user);
  SMP_ASSIGN(config.impersonate, MergeImpersonation(chosen.user.impersonate, flags.impersonate, flags.as_user_extra));
  SMP_TRY(CheckImpersonation(config.impersonate, config.user));
  // Credentials are neither sent nor read for plain http (client-go: "only try to read the auth information if we are
  // secure").
  if (config.server.starts_with("https://")) {
    SMP_TRY(SetUser(chosen.user, flags, config));
    SMP_TRY(SetExec(chosen.user, chosen.cluster, flags, config));
  }
  RememberSecrets(config);

  config.name_space_given = !flags.name_space.empty();
  config.name_space = Namespace(flags, chosen.context);
  config.cache_dir = CacheDir(flags.cache_dir);
  if (!flags.request_timeout.empty()) {
    SMP_ASSIGN(config.request_timeout_ms, ParseTimeoutMs(flags.request_timeout));
  }
  SMP_TRY(SetExecTimeout(flags.exec_timeout, config));
  return config;
}

}  // namespace smp::auth
