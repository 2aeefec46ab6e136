// Which proxy leads to a server: the rules of Go (golang.org/x/net/http/httpproxy), as a pure function of the
// environment.
#ifndef SMP_KUBE_PROXY_RULES_H_
#define SMP_KUBE_PROXY_RULES_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/server_url.h"

namespace smp {

struct ProxyUrl {
  enum class Kind { kHttp, kHttps, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;  // as in a URL: an IPv6 address stands in brackets
  int port = 0;
  std::string username;  // decoded
  std::string password;

  // Without credentials: "http://host:port".
  std::string ToString() const;
};

// http, https and socks5, as in proxy-url of a cluster. Error: invalid-argument, which quotes no credentials.
Result<ProxyUrl> ParseProxyUrl(std::string_view text);

struct ProxyEnvironment {
  std::string http_proxy;
  std::string https_proxy;
  std::string no_proxy;
  bool cgi = false;  // $REQUEST_METHOD is set: then HTTP_PROXY may be a header of somebody's request
};

// Of upper-case variables, else of lower-case ones.
ProxyEnvironment ProxyEnvironmentOfProcess();

// The proxy of the environment for this server, nothing where the way is direct: no proxy set, a loopback server, or
// one that NO_PROXY names (hosts, .domains, addresses, networks in CIDR form, each host and address with an optional
// port, *). Error: invalid-argument, for a proxy that is no URL.
Result<std::optional<ProxyUrl>> ProxyFor(const ServerUrl& server, const ProxyEnvironment& environment);

}  // namespace smp

#endif  // SMP_KUBE_PROXY_RULES_H_
