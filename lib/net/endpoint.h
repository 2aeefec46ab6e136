// Where a server is and how to connect to it: everything that a transport needs to know from a kubeconfig.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace smp::net {

// A PEM file, given by its path or its contents; both are empty if not configured.
struct Pem {
  std::string file = {};
  std::string data = {};
  Source source = {};  // where the kubeconfig sets it; empty if a flag, a Pod or an exec plugin does
  bool given() const { return !file.empty() || !data.empty(); }
};

struct Endpoint {
  std::string server;  // "https://host:port[/prefix]", no trailing slash
  Pem certificate_authority;
  Pem client_certificate;
  Pem client_key;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string proxy_url;  // already validated; "": use the proxy of the environment
  bool disable_compression = false;
  int64_t request_timeout_ms = 0;  // 0: no limit
};

}  // namespace smp::net
