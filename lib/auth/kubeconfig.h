// Loads kubeconfig files, environment and flags into one ConnectionConfig, as client-go does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/endpoint.h"

namespace smp::auth {

// The user to act as. Extra values are sent as headers Impersonate-Extra-KEY, one for each value.
struct Impersonation {
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
  bool empty() const { return user.empty() && uid.empty() && groups.empty() && extra.empty(); }
};

// The values of the connection flags; an empty string means that the flag was not given.
struct ConnectionFlags {
  std::string kubeconfig;  // --kubeconfig: read only this file
  std::string context;
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string server;
  std::string token;
  std::string username;
  std::string password;
  std::string certificate_authority;
  std::string client_certificate;
  std::string client_key;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string proxy_url;
  bool disable_compression = false;
  Impersonation impersonate;               // --as, --as-uid, --as-group
  std::vector<std::string> as_user_extra;  // --as-user-extra, KEY=VALUE each
  std::string request_timeout;             // Go duration or seconds; "" and "0": no limit
  std::string cache_dir;                   // --cache-dir
  std::string kuberc;                      // --kuberc
  std::string exec_timeout;                // --exec-timeout: Go duration or seconds; "": that of ExecConfig
  bool stdin_in_use = false;               // by -f -: exec plugins must not read from it
  // Where a Pod's service account is mounted.
  std::string service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Which exec plugins may run, according to kuberc (kubectl.config.k8s.io).
struct PluginPolicy {
  enum class Kind { kAllowAll, kDenyAll, kAllowlist };
  Kind kind = Kind::kAllowAll;
  std::vector<std::string> allowlist = {};  // commands: names looked up on PATH, or paths
  std::string file = {};                    // the kuberc's path, for messages
};

// A program that provides credentials (the `exec` of a user).
struct ExecConfig {
  // If it has a slash, a path, already resolved against the kubeconfig's folder; else a name to look up on PATH.
  std::string command;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string api_version;  // client.authentication.k8s.io/v1 or v1beta1
  std::string install_hint;
  bool provide_cluster_info = false;
  std::string interactive_mode;   // Never, IfAvailable or Always: use of standard input for prompts
  std::string cluster_extension;  // JSON of the cluster's extension client.authentication.k8s.io/exec; or ""
  bool stdin_in_use = false;
  PluginPolicy policy;
  std::optional<int64_t> timeout_ms = {};  // 0: none; nullopt: the default of TimeoutMs (exec_plugin.h)
};

// The server, our credentials, and the names of the kubeconfig entries that they come from.
struct ConnectionConfig : net::Endpoint {
  std::string context;  // this and the next two are for messages and reports only
  std::string cluster;
  std::string user;
  std::string name_space;         // from -n, else the context, else the Pod we run in, else "default"
  bool name_space_given = false;  // by -n
  std::string token;              // if token_file is also set, used only while that cannot be read
  std::string token_file;         // re-read by the transport
  std::string username;           // basic auth
  std::string password;
  std::optional<ExecConfig> exec;     // only if the user has no other credentials
  bool credentials_of_flags = false;  // from --token, --username or --client-certificate
  Impersonation impersonate;
  std::string cache_dir;  // --cache-dir, else $KUBECACHEDIR, else ~/.kube/cache; "": HOME is not set
};

// Reads --kubeconfig, else $KUBECONFIG (a list), else ~/.kube/config. If neither these nor a flag choose a cluster,
// uses the service account of the Pod we run in.
// Errors: invalid-argument for a missing context, cluster or user (listing those that exist), parse with file and line.
// All secrets of the result are registered with the SecretRegistry.
Result<ConnectionConfig> LoadConnectionConfig(const ConnectionFlags& flags);

}  // namespace smp::auth
