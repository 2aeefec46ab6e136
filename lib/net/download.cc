#include "net/download.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "net/curl_transport.h"
#include "net/percent.h"
#include "net/server_url.h"
#include "value/base64.h"
#include "value/redact.h"

namespace smp::net {

namespace {

constexpr int64_t kConnectTimeoutMs = 10'000;
constexpr int64_t kRetryDelayMs = 1'000;  // as in kubectl

struct WebUrl {
  std::string scheme;
  std::string user_info;  // "user:password", still escaped
  std::string host_port;
  std::string path;  // with query, escaped, no fragment

  std::string Server() const { return StrCat(scheme, "://", host_port); }
};

// --- URLs

std::string_view SchemeOf(std::string_view url) {
  const size_t colon = url.find_first_of(":/?#");
  return colon == url.npos || url[colon] != ':' ? std::string_view() : url.substr(0, colon);
}

// Returns false for characters that Go escapes in a URL before sending it: spaces, non-ASCII bytes and the like.
bool StaysInPath(char c) {
  return c > ' ' && c < 0x7F && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

Error NoUrl(const std::string& text, std::string_view why) {
  return Error::InvalidArgument(StrCat("the URL passed to filename \"", ShownUrl(text), "\" is not valid: ", why));
}

Result<WebUrl> ParseWebUrl(const std::string& text) {
  WebUrl url;
  url.scheme = ToLower(SchemeOf(text));
  if (url.scheme != "http" && url.scheme != "https") return NoUrl(text, "only http and https are supported");
  std::string_view rest = std::string_view(text).substr(url.scheme.size() + 1);
  if (!rest.starts_with("//")) return NoUrl(text, "// is missing after the scheme");
  rest = rest.substr(2, rest.find('#') - 2);
  const size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, end);
  if (const size_t at = authority.rfind('@'); at != authority.npos) {
    url.user_info = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  url.host_port = authority;
  url.path = PercentEncoded(rest.substr(end), &StaysInPath);
  if (!url.path.starts_with('/')) url.path.insert(0, "/");
  if (!ParseServerUrl(url.Server()).ok()) return NoUrl(text, "the host or its port is missing or malformed");
  return url;
}

// Returns the URL of a redirect: resolves a Location header against the URL of its request.
std::string Joined(const WebUrl& from, const std::string& location) {
  if (!SchemeOf(location).empty()) return location;
  if (location.starts_with("//")) return StrCat(from.scheme, ":", location);
  const std::string user = from.user_info.empty() ? "" : from.user_info + "@";
  const std::string server = StrCat(from.scheme, "://", user, from.host_port);
  if (location.starts_with('/')) return server + location;
  const std::string path = from.path.substr(0, from.path.find('?'));
  if (location.starts_with('?')) return StrCat(server, path, location);
  const size_t query = std::min(location.find('?'), location.size());
  const std::filesystem::path joined = path.substr(0, path.rfind('/') + 1) + location.substr(0, query);
  return StrCat(server, joined.lexically_normal().generic_string(), location.substr(query));
}

// --- one request

Result<HttpResponse> Get(const WebUrl& url, int64_t left_ms, const DownloadLimits& limits) {
  Endpoint endpoint;
  endpoint.server = url.Server();
  endpoint.request_timeout_ms = static_cast<int>(left_ms);
  SMP_ASSIGN(const std::unique_ptr<Transport> transport,
             MakeCurlTransport(endpoint, {.user_agent = "kubectl-smp",
                                          .connect_timeout_ms = std::min(kConnectTimeoutMs, left_ms),
                                          .max_body_bytes = limits.bytes}));
  HttpRequest request = {.path = url.path};
  if (!url.user_info.empty()) {
    const std::string user_info = PercentDecoded(url.user_info).value_or(url.user_info);
    request.headers.emplace_back("Authorization", "Basic " + EncodeBase64(user_info));
    SecretRegistry::Instance().RememberText(user_info.substr(std::min(user_info.find(':') + 1, user_info.size())));
  }
  return transport->Send(request);
}

// --- redirects and tries

Error Unreadable(const std::string& url, ErrorCode code, std::string_view why) {
  return {code, StrCat("unable to read URL \"", ShownUrl(url), "\"", why)};
}

bool IsRedirect(const HttpResponse& response) {
  constexpr int kRedirects[] = {301, 302, 303, 307, 308};
  return std::find(std::begin(kRedirects), std::end(kRedirects), response.status) != std::end(kRedirects) &&
         !response.Header("location").empty();
}

Result<HttpResponse> GetFollowing(const std::string& url, int64_t end_ms, const DownloadLimits& limits) {
  std::string at = url;
  for (int redirects = 0; redirects <= limits.redirects; ++redirects) {
    const std::string_view scheme = SchemeOf(at);
    if (ToLower(scheme) != "http" && ToLower(scheme) != "https") {
      return Unreadable(url, ErrorCode::kInvalidArgument,
                        StrCat(": it redirects to \"", ShownUrl(at), "\", and only http and https are supported"));
    }
    SMP_ASSIGN(const WebUrl parsed, ParseWebUrl(at));
    SMP_ASSIGN(HttpResponse response, Get(parsed, std::max<int64_t>(1, end_ms - limits.clock->NowMs()), limits));
    if (!IsRedirect(response)) return response;
    at = Joined(parsed, std::string(response.Header("location")));
    // Differs from kubectl: it follows, and anybody on the way can change the manifest.
    if (parsed.scheme == "https" && ToLower(SchemeOf(at)) == "http") {
      return Unreadable(url, ErrorCode::kInvalidArgument,
                        StrCat(": it redirects to \"", ShownUrl(at), "\", which is not encrypted"));
    }
  }
  return Unreadable(url, ErrorCode::kInvalidArgument, StrCat(": stopped after ", limits.redirects, " redirects"));
}

bool MayComeLater(const Result<HttpResponse>& response) {
  if (response.ok()) return response->status >= 500 && response->status <= 599;
  return response.error().code == ErrorCode::kTransport && response.error().reason != kAnswerTooLarge;
}

// Returns what failed without kubectl's words for API servers, and without advice about the kubeconfig.
std::string AboutUrl(std::string_view message) {
  constexpr std::string_view kPrefix = "Unable to connect to the server: ";
  if (message.starts_with(kPrefix)) message.remove_prefix(kPrefix.size());
  const std::string_view advice = message.substr(std::min(message.rfind(" - "), message.size()));
  for (const std::string_view words : {"kubeconfig", "client", "certificate-authority", "right host"}) {
    if (advice.find(words) != advice.npos) return std::string(message.substr(0, message.size() - advice.size()));
  }
  return std::string(message);
}

Result<std::string> BodyOf(const std::string& url, Result<HttpResponse> response, int64_t left_ms,
                           const DownloadLimits& limits) {
  if (response.ok()) {
    if (response->status == 200) return std::move(response->body);
    // kubectl's words
    Error error = Unreadable(url, ErrorCode::kServer, StrCat(", server reported status code=", response->status));
    error.http_status = response->status;
    return error;
  }
  Error error = std::move(response).error();
  if (error.code != ErrorCode::kTransport) return error;
  if (error.reason == kAnswerTooLarge) {
    return Unreadable(url, error.code, StrCat(": it is larger than ", limits.bytes, " bytes; download it to a file"));
  }
  if (left_ms <= 0) return Unreadable(url, error.code, StrCat(": no response within ", limits.timeout_ms, " ms"));
  return Unreadable(url, error.code, StrCat(": ", AboutUrl(error.message)));
}

std::string WithoutUserInfo(const std::string& url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return url;
  const size_t begin = scheme + 3;
  const size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  size_t at = url.substr(0, end).rfind('@');
  const bool malformed = !ParseServerUrl(StrCat("http://", url.substr(begin, end - begin))).ok();
  // The password of a malformed URL may have a slash.
  if (malformed && (at == url.npos || at < begin)) at = url.rfind('@');
  return at == url.npos || at < begin ? url : StrCat(url.substr(0, begin), url.substr(at + 1));
}

// Values in a query may be secrets: of a link to a private file, say.
std::string WithoutQueryValues(const std::string& url) {
  const size_t query = url.find('?');
  if (url.find("://") == url.npos || query == url.npos) return url;
  std::vector<std::string> parts;
  for (const std::string_view part : Split(std::string_view(url).substr(query + 1), '&')) {
    const size_t equals = part.find('=');
    parts.push_back(equals == part.npos ? "…" : StrCat(part.substr(0, equals), "=…"));
  }
  return StrCat(url.substr(0, query), "?", Join(parts, "&"));
}

}  // namespace

bool IsWebUrl(const std::string& text) { return text.starts_with("http://") || text.starts_with("https://"); }

Status CheckWebUrl(const std::string& url) {
  SMP_TRY(ParseWebUrl(url));
  return Ok();
}

std::string ShownUrl(const std::string& url) { return WithoutQueryValues(WithoutUserInfo(url)); }

Result<std::string> Download(const std::string& url, const DownloadLimits& limits) {
  const int64_t end_ms = limits.clock->NowMs() + limits.timeout_ms;
  for (int tries = 1;; ++tries) {
    Result<HttpResponse> response = GetFollowing(url, end_ms, limits);
    const int64_t left_ms = end_ms - limits.clock->NowMs();
    if (tries == limits.tries || !MayComeLater(response) || left_ms <= kRetryDelayMs) {
      return BodyOf(url, std::move(response), left_ms, limits);
    }
    (void)limits.clock->SleepMs(kRetryDelayMs);
  }
}

}  // namespace smp::net
