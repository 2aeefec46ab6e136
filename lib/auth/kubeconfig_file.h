// Reads and merges the kubeconfig files: if several files define a context, cluster or user, the whole entry of the
// first file is used, and so is the first current-context (client-go's ClientConfigLoadingRules). kubeconfig.h selects
// the entries to use and checks references between them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp::auth {

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
  net::Pem certificate_authority;
  std::string exec_extension;  // JSON of the extension client.authentication.k8s.io/exec; or ""
  Source source;
};

struct UserEntry {
  std::string token;
  std::string token_file;
  std::string username;
  std::string password;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::string auth_provider;  // its name; or ""
  net::Pem client_certificate;
  net::Pem client_key;
  Source source;
};

struct Kubeconfig {
  std::vector<std::string> missing;  // files that do not exist
  std::vector<std::string> files;    // files that were read
  std::string current_context;
  std::map<std::string, ContextEntry> contexts;
  std::map<std::string, ClusterEntry> clusters;
  std::map<std::string, UserEntry> users;
};

// Adds the entries of `text` that `config` lacks. Resolves relative paths against the folder of `file`. Error: parse.
Status AddKubeconfigText(std::string_view text, const std::string& file, Kubeconfig& config);

// Reads `explicit_file` (which must exist) if given, else the files of $KUBECONFIG, else ~/.kube/config.
Result<Kubeconfig> ReadKubeconfigFiles(const std::string& explicit_file);

}  // namespace smp::auth
