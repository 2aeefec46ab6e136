#include "kube/kubeconfig.h"

#include <algorithm>

#include "base/strings.h"
#include "kube/duration.h"
#include "kube/kubeconfig_file.h"
#include "kube/read_file.h"
#include "kube/server_url.h"

namespace smp {
namespace {

constexpr size_t kMaxPemBytes = 16UL << 20;

Error Invalid(std::string message, const Source& source = {}) {
  return {ErrorCode::kInvalidArgument, std::move(message), "", source};
}

// "a, b, c", or "none"; a few of many.
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
                        " - name a kubeconfig with --kubeconfig or KUBECONFIG, or a server with --server"));
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
  if (!flags.server.empty()) return ClusterEntry{};  // --server says all that is needed
  if (context.cluster.empty()) {
    return Invalid(StrCat("cluster was not specified for context \"", config.context, "\""), context.source);
  }
  return Invalid(StrCat("cluster \"", context.cluster, "\" was not found for context \"", config.context,
                        "\" - clusters of the kubeconfig: ", Names(files.clusters)),
                 context.source);
}

// kubectl goes on without credentials when the user of a context is missing; the server's 401 then hides the cause.
Result<UserEntry> ChooseUser(const Kubeconfig& files, const ConnectionFlags& flags, const ContextEntry& context,
                             ConnectionConfig& config) {
  config.user = flags.user.empty() ? context.user : flags.user;
  if (const auto at = files.users.find(config.user); at != files.users.end()) return at->second;
  if (!flags.user.empty()) {
    return Invalid(
        StrCat("auth info \"", flags.user, "\" does not exist - users of the kubeconfig: ", Names(files.users)));
  }
  if (context.user.empty() || !flags.token.empty() || !flags.client_certificate.empty()) return UserEntry{};
  return Invalid(StrCat("user \"", context.user, "\" was not found for context \"", config.context,
                        "\" - users of the kubeconfig: ", Names(files.users)),
                 context.source);
}

Status CheckReadable(const std::string& file, std::string_view what, const Source& source) {
  if (file.empty()) return Ok();
  const Result<std::string> text = ReadWholeFile(file, kMaxPemBytes, what);
  return text.ok() ? Ok() : Status(Invalid(text.error().message, source));
}

// The rules of client-go's getCluster: a CA or --insecure-skip-tls-verify on the command line replaces both of the
// kubeconfig, and
// --server drops its tls-server-name.
void OverrideCluster(const ConnectionFlags& flags, ClusterEntry& cluster) {
  if (!flags.server.empty()) cluster.server = flags.server;
  if (flags.insecure_skip_tls_verify || !flags.certificate_authority.empty()) {
    cluster.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
    cluster.certificate_authority = {.file = flags.certificate_authority};
  }
  if (!flags.server.empty() || !flags.tls_server_name.empty()) cluster.tls_server_name = flags.tls_server_name;
}

Status SetCluster(const ClusterEntry& cluster, ConnectionConfig& config) {
  if (cluster.server.empty()) {
    return Invalid(StrCat("no server found for cluster \"", config.cluster, "\""), cluster.source);
  }
  Result<ServerUrl> url = ParseServerUrl(cluster.server);
  if (!url.ok()) return Invalid(url.error().message, cluster.source);
  if (!cluster.proxy_url.empty()) {
    return Invalid(
        StrCat("cluster \"", config.cluster,
               "\" has a proxy-url, which this version does not support yet; HTTPS_PROXY can be used instead"),
        cluster.source);
  }
  if (cluster.insecure_skip_tls_verify && cluster.certificate_authority.given()) {
    return Invalid(
        "specifying a root certificates file with the insecure flag is not allowed; "
        "remove certificate-authority or insecure-skip-tls-verify",
        cluster.source);
  }
  SMP_TRY(CheckReadable(cluster.certificate_authority.file, "certificate-authority", cluster.source));
  config.server = url->ToString();
  config.certificate_authority = cluster.certificate_authority;
  config.insecure_skip_tls_verify = cluster.insecure_skip_tls_verify;
  config.tls_server_name = cluster.tls_server_name;
  return Ok();
}

void OverrideUser(const ConnectionFlags& flags, UserEntry& user) {
  if (!flags.token.empty()) {
    user.token = flags.token;
    user.token_file.clear();
  }
  if (!flags.client_certificate.empty()) user.client_certificate = {.file = flags.client_certificate};
  if (!flags.client_key.empty()) user.client_key = {.file = flags.client_key};
  if (!flags.token.empty() || !flags.client_certificate.empty()) user.plugin.clear();
}

// Running with other rights than the kubeconfig asks for is worse than not running.
Status CheckSupported(const UserEntry& user, const std::string& name) {
  if (!user.impersonate.empty()) {
    return Invalid(StrCat("user \"", name, "\" impersonates \"", user.impersonate,
                          "\" (as), which is not supported yet by this version"),
                   user.source);
  }
  if (user.plugin.empty()) return Ok();
  return Invalid(StrCat("user \"", name, "\" logs in with ", user.plugin,
                        ", a kind of credential that is not supported yet by this version; give a token (--token) or a "
                        "client certificate"),
                 user.source);
}

Status CheckCredentials(const UserEntry& user, const std::string& name) {
  if (!user.token.empty() && !(user.username + user.password).empty()) {
    return Invalid(StrCat("more than one authentication method found for ", name,
                          "; found [token basicAuth], only one is allowed"),
                   user.source);
  }
  if (user.client_certificate.given() && !user.client_key.given()) {
    return Invalid(StrCat("client-key-data or client-key must be specified for ", name,
                          " to use the clientCert authentication method"),
                   user.source);
  }
  SMP_TRY(CheckReadable(user.client_certificate.file, "client-certificate", user.source));
  SMP_TRY(CheckReadable(user.client_key.file, "client-key", user.source));
  if (!user.token.empty()) return Ok();
  return CheckReadable(user.token_file, "tokenFile", user.source);
}

Status SetUser(const UserEntry& user, ConnectionConfig& config) {
  SMP_TRY(CheckCredentials(user, config.user));
  config.token = user.token;
  config.token_file = user.token_file;
  config.username = user.username;
  config.password = user.password;
  if (!user.client_certificate.given()) return Ok();
  config.client_certificate = user.client_certificate;
  config.client_key = user.client_key;
  return Ok();
}

}  // namespace

Result<ConnectionConfig> LoadConnectionConfig(const ConnectionFlags& flags) {
  SMP_ASSIGN(const Kubeconfig files, ReadKubeconfigFiles(flags.kubeconfig));
  ConnectionConfig config;
  SMP_ASSIGN(const ContextEntry context, ChooseContext(files, flags, config.context));
  SMP_ASSIGN(ClusterEntry cluster, ChooseCluster(files, flags, context, config));
  OverrideCluster(flags, cluster);
  SMP_TRY(SetCluster(cluster, config));
  SMP_ASSIGN(UserEntry user, ChooseUser(files, flags, context, config));
  OverrideUser(flags, user);
  // No credentials go over plain http, and none are looked at (client-go: "only try to read the auth information if we
  // are secure").
  const bool tls = config.server.starts_with("https://");
  if (!tls) user = UserEntry{.impersonate = user.impersonate, .source = user.source};
  SMP_TRY(CheckSupported(user, config.user));
  SMP_TRY(SetUser(user, config));

  config.name_space_given = !flags.name_space.empty();
  config.name_space = config.name_space_given ? flags.name_space : context.name_space;
  if (config.name_space.empty()) config.name_space = "default";
  if (!flags.request_timeout.empty()) {
    SMP_ASSIGN(config.request_timeout_ms, ParseTimeoutMs(flags.request_timeout));
  }
  return config;
}

}  // namespace smp
