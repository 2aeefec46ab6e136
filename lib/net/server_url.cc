#include "net/server_url.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"

namespace smp {
namespace {

bool IsAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

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

bool ReadPort(std::string_view digits, int& port) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return error == std::errc() && end == digits.data() + digits.size() && port >= 1 && port <= 65535;
}

Error BadUrl(std::string_view text, std::string_view why) {
  return Error::InvalidArgument(StrCat("server \"", text, "\" is no URL such as https://host:6443: ", why));
}

}  // namespace

std::string ServerUrl::HostPort() const { return port_given ? StrCat(host, ":", port) : host; }

std::string ServerUrl::ToString() const { return StrCat(tls ? "https://" : "http://", HostPort(), prefix); }

bool ServerUrl::IsLoopback() const {
  if (ToLower(host) == "localhost" || host == "[::1]") return true;
  const bool digits_and_dots = host.find_first_not_of("0123456789.") == std::string::npos;
  return digits_and_dots && host.starts_with("127.");
}

Result<ServerUrl> ParseServerUrl(std::string_view text) {
  if (text.find('@') != text.npos) {
    return Error::InvalidArgument(
        "a server URL with user name and password is not supported; put them into the user of the kubeconfig");
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
  if (colon == text.npos && !path.empty()) return BadUrl(text, "a path needs the scheme before it");
  if (!IsUrlPath(path)) return BadUrl(text, "the path holds a character that must be escaped");
  url.prefix = path;

  std::string_view authority = rest.substr(0, slash);
  const size_t port_at = authority.rfind(':');
  if (port_at != authority.npos && authority.find(']', port_at) == authority.npos) {
    if (!ReadPort(authority.substr(port_at + 1), url.port)) return BadUrl(text, "the port must be 1 to 65535");
    url.port_given = true;
    authority = authority.substr(0, port_at);
  } else {
    url.port = url.tls ? 443 : 80;
  }
  if (!IsHost(authority)) return BadUrl(text, "the host is missing or malformed");
  url.host = authority;
  return url;
}

}  // namespace smp
