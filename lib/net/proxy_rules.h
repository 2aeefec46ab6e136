// Chooses the proxy for a server by the rules of Go (golang.org/x/net/http/httpproxy), as a pure function of the
// environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/server_url.h"

namespace smp::net {

struct ProxyUrl {
  enum class Kind { kHttp, kHttps, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;  // as in a URL: IPv6 addresses have brackets
  int port = 0;
  std::string username;  // percent-decoded, as is the password
  std::string password;

  // Returns "http://host:port", without credentials.
  std::string ToString() const;
};

// Accepts http, https and socks5, like a cluster's proxy-url. Error: invalid-argument; the message has no credentials.
Result<ProxyUrl> ParseProxyUrl(std::string_view text);

struct ProxyEnvironment {
  std::string http_proxy;
  std::string https_proxy;
  std::string no_proxy;
  bool cgi = false;  // $REQUEST_METHOD is set: a request's Proxy header may have set HTTP_PROXY
};

// Reads each variable by its upper-case name, or its lower-case name if unset.
ProxyEnvironment ProxyEnvironmentOfProcess();

// Returns the proxy for this server, or nullopt for a direct connection: no proxy is set, the server is loopback, or
// NO_PROXY matches it (hosts, .domains, addresses, networks in CIDR form, hosts and addresses with an optional port,
// *). Error: invalid-argument if the proxy is not a valid URL, or HTTP_PROXY is used in a CGI environment.
Result<std::optional<ProxyUrl>> ProxyFor(const ServerUrl& server, const ProxyEnvironment& environment);

}  // namespace smp::net
