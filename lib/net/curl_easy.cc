#include "net/curl_easy.h"

#include "base/strings.h"

namespace smp::net {
namespace {

long ProxyType(ProxyUrl::Kind kind) {
  switch (kind) {
    case ProxyUrl::Kind::kHttp: return CURLPROXY_HTTP;
    case ProxyUrl::Kind::kHttps: return CURLPROXY_HTTPS;
    case ProxyUrl::Kind::kSocks5: return CURLPROXY_SOCKS5_HOSTNAME;  // as in Go, the proxy resolves names
  }
  return CURLPROXY_HTTP;
}

}  // namespace

Status InitCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);  // once, and thread-safe
  if (code == CURLE_OK) return Ok();
  return Error::Internal(StrCat("cannot initialize libcurl: ", curl_easy_strerror(code)));
}

void Setter::SetBlob(CURLoption option, const std::string& bytes) {
  curl_blob blob = {const_cast<char*>(bytes.data()), bytes.size(), CURL_BLOB_NOCOPY};
  Set(option, &blob);
}

void Setter::SetPem(CURLoption file, CURLoption blob, const Pem& pem) {
  if (!pem.data.empty()) {
    SetBlob(blob, pem.data);
  } else if (!pem.file.empty()) {
    SetText(file, pem.file);
  }
}

Status Setter::status() const {
  if (first_ == CURLE_OK) return Ok();
  return Error::Internal(StrCat("libcurl ", curl_version_info(CURLVERSION_NOW)->version,
                                " does not support an option of this connection: ", curl_easy_strerror(first_)));
}

void SetProxy(const std::optional<ProxyUrl>& proxy, Setter& set) {
  set.SetText(CURLOPT_NOPROXY, "");
  if (!proxy) return set.SetText(CURLOPT_PROXY, "");
  set.SetText(CURLOPT_PROXY, StrCat(proxy->host, ":", proxy->port));
  set.Set(CURLOPT_PROXYTYPE, ProxyType(proxy->kind));
  set.Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set.Set(CURLOPT_PROXYAUTH, static_cast<long>(CURLAUTH_BASIC));
  set.Set(CURLOPT_SOCKS5_AUTH, static_cast<long>(CURLAUTH_BASIC));
  if (proxy->username.empty() && proxy->password.empty()) return;
  set.SetText(CURLOPT_PROXYUSERNAME, proxy->username);
  set.SetText(CURLOPT_PROXYPASSWORD, proxy->password);
}

}  // namespace smp::net
