#include "net/curl_options.h"

#include <algorithm>

#include "base/authorities.h"
#include "base/environment.h"
#include "base/strings.h"
#include "value/redact.h"

namespace smp::net {
namespace {

constexpr long kLeastBytesPerSecond = 100;
constexpr size_t kMaxHeaderBytes = 256UL << 10;  // below libcurl's own 300 KiB, which it reports as a broken connection

// --- callbacks

size_t AddBody(char* data, size_t bytes, Transfer* transfer) {
  using Outcome = Gunzip::Outcome;
  std::string& body = transfer->response.body;
  const size_t most = transfer->max_body_bytes;
  Outcome outcome = body.size() + bytes > most ? Outcome::kTooLong : Outcome::kRead;
  if (transfer->gunzip) {
    outcome = transfer->gunzip->Read({data, bytes}, most, body);
  } else if (outcome == Outcome::kRead) {
    body.append(data, bytes);
  }
  if (outcome == Outcome::kTooLong) transfer->too_large = StrCat("body of more than ", most >> 20, " MiB");
  if (outcome == Outcome::kDamaged) transfer->unreadable = "its gzip stream is damaged";
  return outcome == Outcome::kRead ? bytes : 0;
}

// Returns false for an encoding that nobody asked for.
bool SetEncoding(std::string_view encoding, Transfer& transfer) {
  if (encoding == "gzip" || encoding == "x-gzip") {
    transfer.gunzip.emplace();
  } else if (!encoding.empty() && encoding != "identity") {
    transfer.unreadable = "it has a Content-Encoding other than gzip";
  }
  return transfer.unreadable.empty();
}

size_t AddHeader(char* data, size_t bytes, Transfer* transfer) {
  transfer->header_bytes += bytes;
  if (transfer->header_bytes > kMaxHeaderBytes) {
    transfer->too_large = "header of more than 256 KiB";
    return 0;
  }
  const std::string_view line = Trim({data, bytes});
  // A status line starts a new response: the headers so far belonged to a 1xx.
  if (line.starts_with("HTTP/")) {
    transfer->response.headers.clear();
    transfer->gunzip.reset();
  }
  const size_t colon = line.find(':');
  if (colon == line.npos || colon == 0) return bytes;
  const auto& [name, value] =
      transfer->response.headers.emplace_back(ToLower(Trim(line.substr(0, colon))), Trim(line.substr(colon + 1)));
  return name != "content-encoding" || SetEncoding(ToLower(value), *transfer) ? bytes : 0;
}

// Calls `add`, of which no exception may pass through libcurl, which is C.
template <size_t add(char* data, size_t bytes, Transfer* transfer)>
size_t OnData(char* data, size_t size, size_t count, void* user) {
  auto* transfer = static_cast<Transfer*>(user);
  try {
    return add(data, size * count, transfer);
  } catch (const std::bad_alloc&) {
    transfer->out_of_memory = true;
    return 0;
  }
}

#if LIBCURL_VERSION_NUM >= 0x075000
int OnSend(void* user, char*, char*, int, int) {
  ++static_cast<Transfer*>(user)->times_sent;
  return CURL_PREREQFUNC_OK;
}
#endif

// --- options

// The options that verify a TLS peer: the server, or an https proxy. Go uses one configuration for both.
struct VerifyOptions {
  CURLoption peer, host, version, ca_path, ca_file, ca_blob, bits;
};
constexpr VerifyOptions kServer = {CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST, CURLOPT_SSLVERSION, CURLOPT_CAPATH,
                                   CURLOPT_CAINFO,         CURLOPT_CAINFO_BLOB,    CURLOPT_SSL_OPTIONS};
constexpr VerifyOptions kProxy = {CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST, CURLOPT_PROXY_SSLVERSION,
                                  CURLOPT_PROXY_CAPATH,         CURLOPT_PROXY_CAINFO,         CURLOPT_PROXY_CAINFO_BLOB,
                                  CURLOPT_PROXY_SSL_OPTIONS};

void SetVerification(const CurlSettings& settings, const VerifyOptions& options, Setter& set) {
  const Endpoint& endpoint = settings.endpoint;
  const long verify = endpoint.insecure_skip_tls_verify ? 0 : 1;
  set.Set(options.peer, verify);
  set.Set(options.host, verify * 2);
  set.Set(options.version, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  // Debian's libcurl trusts /etc/ssl/certs by default, in addition to the given CA.
  set.Set(options.ca_path, static_cast<char*>(nullptr));
  if (endpoint.certificate_authority.given()) {
    set.SetPem(options.ca_file, options.ca_blob, endpoint.certificate_authority);
  } else if (!settings.ca_file.empty()) {
    set.SetText(options.ca_file, settings.ca_file);
  } else if (HasAuthoritiesStore()) {
    set.Set(options.bits, static_cast<long>(CURLSSLOPT_NATIVE_CA));
  }
}

void SetClientCertificate(const Endpoint& endpoint, Setter& set) {
  set.SetPem(CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, endpoint.client_certificate);
  set.SetPem(CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, endpoint.client_key);
  // Without this, OpenSSL asks for the passphrase of an encrypted key on the terminal; kubectl refuses such keys.
  set.SetText(CURLOPT_KEYPASSWD, "");
}

// --request-timeout limits the whole request. Without it, a server may take as long as it needs (API servers end
// ordinary requests after a minute), unless it sends next to nothing for idle_timeout_s.
void SetTimeLimits(const CurlSettings& settings, Setter& set) {
  set.Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.options.connect_timeout_ms));
  set.Set(CURLOPT_TIMEOUT_MS, static_cast<long>(settings.endpoint.request_timeout_ms));
  if (settings.endpoint.request_timeout_ms == 0) {
    set.Set(CURLOPT_LOW_SPEED_LIMIT, kLeastBytesPerSecond);
    set.Set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(settings.options.idle_timeout_s));
  }
  set.Set(CURLOPT_TCP_KEEPALIVE, 1L);
  set.Set(CURLOPT_TCP_KEEPIDLE, 30L);
  set.Set(CURLOPT_TCP_KEEPINTVL, 15L);
}

// Sets the options that all requests of the connection have in common.
void SetConnection(const CurlSettings& settings, Setter& set) {
  set.Set(CURLOPT_NOSIGNAL, 1L);
  set.Set(CURLOPT_FOLLOWLOCATION, 0L);
  set.Set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set.Set(CURLOPT_PATH_AS_IS, 1L);
  // With its default buffer, libcurl 7.88 misses the end of one in some thousand long answers of HTTP/2, and waits until the server
  // closes the connection (tests/e2e/long_answers.py).
  set.Set(CURLOPT_BUFFERSIZE, 512L << 10);
  set.Set(CURLOPT_PIPEWAIT, 1L);  // wait for the first connection, and share it if it multiplexes
  set.SetText(CURLOPT_USERAGENT, settings.options.user_agent);
  set.Set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // a proxy must not see the bearer token
  if (settings.connect_to != nullptr) set.Set(CURLOPT_CONNECT_TO, settings.connect_to.get());
  SetTimeLimits(settings, set);
  SetProxy(settings.proxy, set);
  if (settings.proxy && settings.proxy->kind == ProxyUrl::Kind::kHttps) SetVerification(settings, kProxy, set);
  if (!settings.server.tls) return;
  SetVerification(settings, kServer, set);
  SetClientCertificate(settings.endpoint, set);
}

bool AddHeader(HeaderList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) return false;
  (void)list.release();
  list.reset(longer);
  return true;
}

bool AddHeaders(HeaderList& list, const Headers& headers) {
  return std::all_of(headers.begin(), headers.end(), [&](const auto& header) {
    // "Name:" would remove a header; "Name;" sends one without a value.
    return AddHeader(list, header.second.empty() ? header.first + ";" : StrCat(header.first, ": ", header.second));
  });
}

HeaderList MakeHeaders(const CurlSettings& settings, const HttpRequest& request) {
  HeaderList list;
  bool ok = AddHeader(list, "Expect:");  // no 100-continue round trip before a body
  // Not by CURLOPT_ACCEPT_ENCODING: libcurl takes a stream that ends early for a whole one.
  if (!settings.endpoint.disable_compression) ok = ok && AddHeader(list, "Accept-Encoding: gzip");
  if (!settings.host_header.empty()) ok = ok && AddHeader(list, settings.host_header);
  ok = ok && AddHeaders(list, request.headers);
  if (settings.options.credentials) ok = ok && AddHeaders(list, settings.options.credentials());
  if (!ok) list.reset();
  return list;
}

void SetMethod(const HttpRequest& request, Setter& set) {
  if (request.body.empty() && request.method != "POST") {
    set.Set(CURLOPT_HTTPGET, 1L);
  } else {
    set.Set(CURLOPT_POST, 1L);
    set.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set.Set(CURLOPT_POSTFIELDS, request.body.data());
  }
  if (request.method != "GET") set.SetText(CURLOPT_CUSTOMREQUEST, request.method);
}

// --- settings

// tls-server-name: libcurl takes the name to verify (and to send as SNI) from the URL, so the URL contains that name
// and CURLOPT_CONNECT_TO leads to the real host. The Host header is still the real one, as in client-go.
Status SetUrlBase(CurlSettings& settings) {
  const ServerUrl& server = settings.server;
  const std::string& name = settings.endpoint.tls_server_name;
  settings.url_base = server.ToString();
  if (!server.tls || name.empty()) return Ok();
  const std::string host = name.find(':') == name.npos ? name : "[" + name + "]";
  Result<ServerUrl> url = ParseServerUrl(StrCat("https://", host, ":", server.port, server.prefix));
  if (!url.ok() || url->host != host) {
    return Error::InvalidArgument(StrCat("tls-server-name \"", name, "\" is not a host name"));
  }
  settings.url_base = url->ToString();
  settings.host_header = "Host: " + server.HostPort();
  const bool ok = AddHeader(settings.connect_to, StrCat(url->host, ":", url->port, ":", server.host, ":", server.port));
  return ok ? Ok() : Status(Error::Internal("out of memory"));
}

// A proxy-url in the kubeconfig is always used, even for loopback and regardless of NO_PROXY (client-go,
// http.ProxyURL).
Result<std::optional<ProxyUrl>> ChooseProxy(const CurlSettings& settings) {
  if (settings.endpoint.proxy_url.empty()) return ProxyFor(settings.server, ProxyEnvironmentOfProcess());
  SMP_ASSIGN(ProxyUrl proxy, ParseProxyUrl(settings.endpoint.proxy_url));
  return std::optional<ProxyUrl>(std::move(proxy));
}

}  // namespace

Result<CurlSettings> MakeCurlSettings(const Endpoint& endpoint, const TransportOptions& options) {
  CurlSettings settings{.endpoint = endpoint, .options = options};
  if (settings.options.user_agent.empty()) settings.options.user_agent = "kubectl-smp";
  SMP_ASSIGN(settings.server, ParseServerUrl(endpoint.server));
  SMP_TRY(SetUrlBase(settings));
  SMP_ASSIGN(settings.proxy, ChooseProxy(settings));
  if (settings.proxy) SecretRegistry::Instance().RememberText(settings.proxy->password);
  settings.ca_file = Environment("SSL_CERT_FILE", AuthoritiesFile());
  return settings;
}

Status PrepareTransfer(const CurlSettings& settings, Transfer& transfer) {
  const HttpRequest& request = *transfer.request;
  CURL* easy = transfer.easy.get();
  transfer.response = {};
  transfer.times_sent = 0;
  transfer.header_bytes = 0;
  transfer.gunzip.reset();
  transfer.too_large = {};
  transfer.unreadable = {};
  transfer.out_of_memory = false;
  transfer.max_body_bytes = settings.options.max_body_bytes;
  transfer.error.fill('\0');
  transfer.url = settings.url_base + request.path;
  transfer.headers = MakeHeaders(settings, request);
  if (transfer.headers == nullptr) return Error::Internal("out of memory");

  // Not every libcurl has HTTP/2; the fallback to HTTP/1.1 is no error.
  (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  Setter set(easy);
  SetConnection(settings, set);
  SetMethod(request, set);
  set.SetText(CURLOPT_URL, transfer.url);
  set.Set(CURLOPT_HTTPHEADER, transfer.headers.get());
  set.Set(CURLOPT_ERRORBUFFER, transfer.error.data());
  set.Set(CURLOPT_WRITEFUNCTION, &OnData<AddBody>);
  set.Set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set.Set(CURLOPT_HEADERFUNCTION, &OnData<AddHeader>);
  set.Set(CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
#if LIBCURL_VERSION_NUM >= 0x075000
  set.Set(CURLOPT_PREREQFUNCTION, &OnSend);
  set.Set(CURLOPT_PREREQDATA, static_cast<void*>(&transfer));
#endif
  return set.status();
}

}  // namespace smp::net
