// The URL of an API server, taken apart: "https://host:port/prefix", or "host:port", which means http as it does to
// kubectl.
#ifndef SMP_KUBE_SERVER_URL_H_
#define SMP_KUBE_SERVER_URL_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

struct ServerUrl {
  bool tls = false;
  std::string host;  // as in a URL: an IPv6 address stands in brackets
  int port = 0;      // 443 or 80 where none is written
  bool port_given = false;
  std::string prefix;  // "" or "/a/b", no trailing slash

  // As written: "host" or "host:port".
  std::string HostPort() const;
  // "https://host:port/prefix"
  std::string ToString() const;
  // localhost, 127.0.0.0/8 and ::1, where no proxy is ever wanted.
  bool IsLoopback() const;
};

// Query and fragment are dropped, as in client-go. Error: invalid-argument, which quotes no credentials.
Result<ServerUrl> ParseServerUrl(std::string_view text);

}  // namespace smp

#endif  // SMP_KUBE_SERVER_URL_H_
