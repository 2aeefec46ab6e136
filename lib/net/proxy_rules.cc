#include "net/proxy_rules.h"

#include <algorithm>
#include <cstring>

#include "base/environment.h"
#include "base/network.h"
#include "base/strings.h"
#include "net/percent.h"
#include "value/number.h"

namespace smp::net {
namespace {

// --- URLs

struct Scheme {
  std::string_view name;
  ProxyUrl::Kind kind;
  int port;
};
constexpr Scheme kSchemes[] = {{"http", ProxyUrl::Kind::kHttp, 80},
                               {"https", ProxyUrl::Kind::kHttps, 443},
                               {"socks5", ProxyUrl::Kind::kSocks5, 1080},
                               {"socks5h", ProxyUrl::Kind::kSocks5, 1080}};

const Scheme* FindScheme(std::string_view name) {
  for (const Scheme& scheme : kSchemes) {
    if (scheme.name == name) return &scheme;
  }
  return nullptr;
}

// Quotes nothing: in a malformed URL, any part may be a password.
Error BadProxy(std::string_view why) {
  return Error::InvalidArgument(StrCat("invalid proxy URL (expected e.g. http://host:3128): ", why));
}

// Reads "user:password" of the URL.
Status ReadCredentials(std::string_view text, ProxyUrl& proxy) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::optional<std::string> username = PercentDecoded(text.substr(0, colon));
  const std::optional<std::string> password = PercentDecoded(text.substr(std::min(colon + 1, text.size())));
  // libcurl takes both as C strings.
  const auto usable = [](const std::optional<std::string>& part) {
    return part && part->find('\0') == std::string::npos;
  };
  if (!usable(username) || !usable(password)) return BadProxy("invalid percent-encoding in the user name or password");
  proxy.username = *username;
  proxy.password = *password;
  return Ok();
}

// --- addresses

using Address = IpAddress;

std::optional<Address> ParseAddress(std::string_view text) { return ParseIpAddress(std::string(text)); }

bool IsIpv4(const Address& address) {
  constexpr unsigned char kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(address.data(), kMapped, sizeof kMapped) == 0;
}

bool IsLoopbackAddress(const Address& address) {
  Address one = {};
  one[15] = 1;
  return IsIpv4(address) ? address[12] == 127 : address == one;
}

bool SamePrefix(const Address& a, const Address& b, int64_t bits) {
  for (int64_t i = 0; i < bits; ++i) {
    if (((a[static_cast<size_t>(i) / 8] ^ b[static_cast<size_t>(i) / 8]) >> (7 - i % 8) & 1) != 0) return false;
  }
  return true;
}

// Returns whether `address` is in the network `entry`, e.g. 10.0.0.0/8; nullopt if `entry` is no network.
std::optional<bool> MatchesNetwork(std::string_view entry, const std::optional<Address>& address) {
  const size_t slash = entry.find('/');
  if (slash == entry.npos) return std::nullopt;
  const std::optional<Address> network = ParseAddress(entry.substr(0, slash));
  const std::optional<int64_t> bits = ParseInt64(entry.substr(slash + 1));
  const bool ipv4 = entry.find(':') == entry.npos;
  if (!network || !bits || *bits < 0 || *bits > (ipv4 ? 32 : 128)) return std::nullopt;
  return address && IsIpv4(*address) == IsIpv4(*network) && SamePrefix(*network, *address, *bits + (ipv4 ? 96 : 0));
}

// --- NO_PROXY

struct Target {
  std::string host;  // lower case, without brackets
  std::string port;
  std::optional<Address> address;
};

struct HostPort {
  std::string_view host;
  std::string_view port;  // "": any port
};

// Like Go's net.SplitHostPort, but text without a port is returned as the host.
HostPort SplitHostPort(std::string_view text) {
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == text.npos) return {text, ""};
    const std::string_view rest = text.substr(end + 1);
    if (!rest.starts_with(':')) return {text, ""};
    return {text.substr(1, end - 1), rest.substr(1)};
  }
  const size_t colon = text.find(':');
  if (colon == text.npos || text.find(':', colon + 1) != text.npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// "a.b" matches itself and its subdomains, ".a.b" and "*.a.b" only the subdomains.
bool MatchesDomain(std::string_view pattern, std::string_view host) {
  if (pattern.starts_with("*.")) pattern.remove_prefix(1);
  if (pattern.starts_with('.')) return host.ends_with(pattern);
  return host == pattern || host.ends_with("." + std::string(pattern));
}

bool MatchesEntry(std::string_view entry, const Target& target) {
  if (entry == "*") return true;
  if (const std::optional<bool> in_network = MatchesNetwork(entry, target.address)) return *in_network;
  const HostPort pair = SplitHostPort(entry);
  if (pair.host.empty() || (!pair.port.empty() && pair.port != target.port)) return false;
  if (const std::optional<Address> address = ParseAddress(pair.host)) return address == target.address;
  return !target.address && MatchesDomain(pair.host, target.host);
}

bool UsesProxy(const ServerUrl& server, std::string_view no_proxy) {
  Target target{ToLower(server.host), std::to_string(server.port), {}};
  if (target.host.starts_with('[')) target.host = target.host.substr(1, target.host.size() - 2);
  target.address = ParseAddress(target.host);
  if (target.host == "localhost" || (target.address && IsLoopbackAddress(*target.address))) return false;
  const std::vector<std::string_view> entries = Split(no_proxy, ',');
  return std::none_of(entries.begin(), entries.end(),
                      [&](std::string_view entry) { return MatchesEntry(ToLower(Trim(entry)), target); });
}

}  // namespace

std::string ProxyUrl::ToString() const {
  constexpr std::string_view kNames[] = {"http", "https", "socks5"};
  return StrCat(kNames[static_cast<size_t>(kind)], "://", host, ":", port);
}

Result<ProxyUrl> ParseProxyUrl(std::string_view text) {
  const size_t colon = text.find("://");
  if (colon == text.npos) return BadProxy("the scheme is missing");
  const Scheme* scheme = FindScheme(ToLower(text.substr(0, colon)));
  if (scheme == nullptr) {
    return BadProxy("the scheme must be http, https, or socks5");
  }
  ProxyUrl proxy{.kind = scheme->kind};
  std::string_view authority = text.substr(colon + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  if (const size_t at = authority.rfind('@'); at != authority.npos) {
    SMP_TRY(ReadCredentials(authority.substr(0, at), proxy));
    authority.remove_prefix(at + 1);
  }
  Result<ServerUrl> url = ParseServerUrl(StrCat("http://", authority));  // same rules for host and port
  if (!url.ok()) return BadProxy("the host or its port is missing or malformed");
  proxy.host = url->host;
  proxy.port = url->port_given ? url->port : scheme->port;
  return proxy;
}

ProxyEnvironment ProxyEnvironmentOfProcess() {
  return {Environment("HTTP_PROXY", Environment("http_proxy")), Environment("HTTPS_PROXY", Environment("https_proxy")),
          Environment("NO_PROXY", Environment("no_proxy")), !Environment("REQUEST_METHOD").empty()};
}

Result<std::optional<ProxyUrl>> ProxyFor(const ServerUrl& server, const ProxyEnvironment& environment) {
  const std::string& text = server.tls ? environment.https_proxy : environment.http_proxy;
  if (text.empty()) return std::optional<ProxyUrl>();
  if (!server.tls && environment.cgi) {
    return Error::InvalidArgument("refusing to use HTTP_PROXY value in CGI environment; see golang.org/s/cgihttpproxy");
  }
  if (!UsesProxy(server, environment.no_proxy)) return std::optional<ProxyUrl>();
  Result<ProxyUrl> proxy = ParseProxyUrl(text.find("://") == std::string::npos ? "http://" + text : text);
  if (!proxy.ok()) {
    return Error::InvalidArgument(StrCat(server.tls ? "HTTPS_PROXY: " : "HTTP_PROXY: ", proxy.error().message));
  }
  return std::optional<ProxyUrl>(*std::move(proxy));
}

}  // namespace smp::net
