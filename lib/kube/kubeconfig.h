// kubeconfig: from files, environment and flags to one ConnectionConfig, as client-go does it.
#ifndef SMP_KUBE_KUBECONFIG_H_
#define SMP_KUBE_KUBECONFIG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

// What the user said on the command line; empty strings: not said.
struct ConnectionFlags {
  std::string kubeconfig;  // --kubeconfig: only this file
  std::string context;
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string server;
  std::string token;
  std::string certificate_authority;
  std::string client_certificate;
  std::string client_key;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string request_timeout;  // Go duration or seconds; "" and "0": none
};

// A PEM given as a path or as its bytes; both empty: not given.
struct Pem {
  std::string file = {};
  std::string data = {};
  bool given() const { return !file.empty() || !data.empty(); }
};

struct ConnectionConfig {
  std::string context;  // names, for messages and for the head of an explanation
  std::string cluster;
  std::string user;
  std::string server;             // "https://host:port[/prefix]", no trailing slash
  std::string name_space;         // of the flag, else of the context, else "default"
  bool name_space_given = false;  // by -n
  Pem certificate_authority;
  Pem client_certificate;
  Pem client_key;
  std::string token;       // used while token_file cannot be read
  std::string token_file;  // re-read by the transport
  std::string username;    // basic auth
  std::string password;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  int64_t request_timeout_ms = 0;  // 0: none
};

// The files that count: --kubeconfig, else $KUBECONFIG (a list), else ~/.kube/config.
// Errors: invalid-argument for a context, cluster or user that is not there (naming those that are), parse with file
// and line.
Result<ConnectionConfig> LoadConnectionConfig(const ConnectionFlags& flags);

}  // namespace smp

#endif  // SMP_KUBE_KUBECONFIG_H_
