// Parses the URL of an API server: "https://host:port/prefix", or "host:port", which means http as in kubectl.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp::net {

struct ServerUrl {
  bool tls = false;
  std::string host;  // as in a URL: IPv6 addresses have brackets
  int port = 0;      // 443 or 80 if not given
  bool port_given = false;
  std::string prefix;  // "" or "/a/b", no trailing slash

  // Returns "host:port", or "host" if no port was given.
  std::string HostPort() const;
  // "https://host:port/prefix"
  std::string ToString() const;
};

// Ignores query and fragment, as client-go does. Error: invalid-argument; the message has no credentials.
Result<ServerUrl> ParseServerUrl(std::string_view text);

}  // namespace smp::net
