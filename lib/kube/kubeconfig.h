// kubeconfig: from files, environment and flags to one ConnectionConfig, as client-go does it.
#ifndef SMP_KUBE_KUBECONFIG_H_
#define SMP_KUBE_KUBECONFIG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kube/endpoint.h"

namespace smp {

// Whom the server shall take us for. Extra values are sent as headers Impersonate-Extra-KEY, one for each value.
struct Impersonation {
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
  bool empty() const { return user.empty() && uid.empty() && groups.empty() && extra.empty(); }
};

// What the user said on the command line; empty strings: not said.
struct ConnectionFlags {
  std::string kubeconfig;  // --kubeconfig: only this file
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
  std::string request_timeout;             // Go duration or seconds; "" and "0": none
  std::string cache_dir;                   // --cache-dir
  std::string kuberc;                      // --kuberc
  bool stdin_in_use = false;               // -f -: no login program may ask there
  // Where a Pod finds its service account.
  std::string service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Which exec plugins may run, as kuberc says (kubectl.config.k8s.io).
struct PluginPolicy {
  enum class Kind { kAllowAll, kDenyAll, kAllowlist };
  Kind kind = Kind::kAllowAll;
  std::vector<std::string> allowlist = {};  // commands: names looked up on PATH, or paths
  std::string file = {};                    // that says so, for messages
};

// A program that gives credentials (the `exec` of a user).
struct ExecConfig {
  std::string
      command;  // with a slash: a path, made relative to the kubeconfig's folder already; else looked up on PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string api_version;  // client.authentication.k8s.io/v1 or v1beta1
  std::string install_hint;
  bool provide_cluster_info = false;
  std::string interactive_mode;   // Never, IfAvailable or Always: may it ask on standard input?
  std::string cluster_extension;  // JSON of the cluster's extension client.authentication.k8s.io/exec; "": none
  bool stdin_in_use = false;
  PluginPolicy policy;
  int64_t timeout_ms = 60'000;
};

// The server, who we are to it, and the names in the kubeconfig that led there.
struct ConnectionConfig : Endpoint {
  std::string context;  // names, for messages and for the head of an explanation
  std::string cluster;
  std::string user;
  std::string name_space;         // of the flag, else of the context, else of the Pod we run in, else "default"
  bool name_space_given = false;  // by -n
  std::string token;              // used while token_file cannot be read
  std::string token_file;         // re-read by the transport
  std::string username;           // basic auth
  std::string password;
  std::optional<ExecConfig> exec;     // only where the user has no credentials of another kind
  bool credentials_of_flags = false;  // --token, --username or --client-certificate
  Impersonation impersonate;
  std::string cache_dir;  // --cache-dir, else $KUBECACHEDIR, else ~/.kube/cache; "": HOME is not set
};

// The files that count: --kubeconfig, else $KUBECONFIG (a list), else ~/.kube/config; where they choose no cluster and
// no flag does, the service account of the Pod we run in.
// Errors: invalid-argument for a context, cluster or user that is not there (naming those that are), parse with file
// and line. All secrets of the result are known to the SecretRegistry.
Result<ConnectionConfig> LoadConnectionConfig(const ConnectionFlags& flags);

}  // namespace smp

#endif  // SMP_KUBE_KUBECONFIG_H_
