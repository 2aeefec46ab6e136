// Where a server is and how to connect to it: everything that a transport needs to know from a kubeconfig.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace smp::net {

// A PEM, given as a path or as its bytes. Both are empty if there is none.
struct Pem {
  std::string file = {};
  std::string data = {};
  Source source = {};  // the line of the kubeconfig that names it; empty if a flag, a Pod or a program does
  bool given() const { return !file.empty() || !data.empty(); }
};

struct Endpoint {
  std::string server;  // "https://host:port[/prefix]", no trailing slash
  Pem certificate_authority;
  Pem client_certificate;
  Pem client_key;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string proxy_url;  // checked; "": the environment decides
  bool disable_compression = false;
  int64_t request_timeout_ms = 0;  // 0: no limit
};

}  // namespace smp::net
