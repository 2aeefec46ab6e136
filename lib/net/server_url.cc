#include "net/server_url.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "net/percent.h"
#include "value/number.h"

namespace smp::net {
namespace {

// Accepts only names and addresses, so that nothing in a host can end the host part of a URL early.
bool IsHost(std::string_view host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  const std::string_view extra = bracketed ? ":.%" : ".-_";
  return !host.empty() &&
         std::all_of(host.begin(), host.end(), [&](char c) { return IsAlnum(c) || extra.find(c) != extra.npos; });
}

bool IsUrlPath(std::string_view path) {
  return std::all_of(path.begin(), path.end(), [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\' && c != '^' && c != '`' && c != '{' &&
           c != '|' && c != '}';
  });
}

Error BadUrl(std::string_view text, std::string_view why) {
  return Error::InvalidArgument(StrCat("invalid server URL \"", text, "\" (expected e.g. https://host:6443): ", why));
}

}  // namespace

std::string ServerUrl::HostPort() const { return port_given ? StrCat(host, ":", port) : host; }

std::string ServerUrl::ToString() const { return StrCat(tls ? "https://" : "http://", HostPort(), prefix); }

Result<ServerUrl> ParseServerUrl(std::string_view text) {
  if (text.find('@') != text.npos) {
    return Error::InvalidArgument(
        "user name and password in the server URL are not supported; set them in the user of the kubeconfig");
  }
  ServerUrl url;
  std::string_view rest = text;
  const size_t colon = text.find("://");
  if (colon != text.npos) {
    const std::string scheme = ToLower(text.substr(0, colon));
    if (scheme != "https" && scheme != "http") return BadUrl(text, "the scheme must be https or http");
    url.tls = scheme == "https";
    rest = text.substr(colon + 3);
  }
  rest = rest.substr(0, rest.find_first_of("?#"));
  const size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view path = rest.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (colon == text.npos && !path.empty()) return BadUrl(text, "a path requires a scheme");
  if (!IsUrlPath(path)) return BadUrl(text, "the path contains a character that must be escaped");
  url.prefix = path;

  std::string_view authority = rest.substr(0, slash);
  const size_t port_at = authority.rfind(':');
  if (port_at != authority.npos && authority.find(']', port_at) == authority.npos) {
    const std::optional<int64_t> port = ParseInt64(authority.substr(port_at + 1));
    if (!port || *port < 1 || *port > 65535) return BadUrl(text, "the port must be between 1 and 65535");
    url.port = static_cast<int>(*port);
    url.port_given = true;
    authority = authority.substr(0, port_at);
  } else {
    url.port = url.tls ? 443 : 80;
  }
  if (!IsHost(authority)) return BadUrl(text, "the host is missing or malformed");
  url.host = authority;
  return url;
}

}  // namespace smp::net
