// The kubeconfig files, read and merged: of a context, cluster or user that several files name, the whole entry of the
// first file counts, and so does the first current-context (client-go's ClientConfigLoadingRules). Nothing is chosen or
// checked across entries here; kubeconfig.h does that.
#ifndef SMP_KUBE_KUBECONFIG_FILE_H_
#define SMP_KUBE_KUBECONFIG_FILE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kube/kubeconfig.h"

namespace smp {

struct ContextEntry {
  std::string cluster;
  std::string user;
  std::string name_space;
  Source source;
};

struct ClusterEntry {
  std::string server;
  std::string tls_server_name;
  std::string proxy_url;
  bool insecure_skip_tls_verify = false;
  bool disable_compression = false;
  Pem certificate_authority;
  std::string exec_extension;  // JSON of the extension client.authentication.k8s.io/exec; "": none
  Source source;
};

struct UserEntry {
  std::string token;
  std::string token_file;
  std::string username;
  std::string password;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::string auth_provider;  // its name; "": none
  Pem client_certificate;
  Pem client_key;
  Source source;
};

struct Kubeconfig {
  std::vector<std::string> missing;  // files that were looked for and are not there
  std::vector<std::string> files;    // files that were read
  std::string current_context;
  std::map<std::string, ContextEntry> contexts;
  std::map<std::string, ClusterEntry> clusters;
  std::map<std::string, UserEntry> users;
};

// Adds what the file says and `config` does not say yet. Relative paths are made relative to the file's folder. Error:
// parse.
Status AddKubeconfigText(std::string_view text, const std::string& file, Kubeconfig& config);

// All files of `explicit_file` (which must exist), else of $KUBECONFIG, else ~/.kube/config.
Result<Kubeconfig> ReadKubeconfigFiles(const std::string& explicit_file);

}  // namespace smp

#endif  // SMP_KUBE_KUBECONFIG_FILE_H_
