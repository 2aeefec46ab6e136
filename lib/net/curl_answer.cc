#include "net/curl_answer.h"

#include "base/authorities.h"
#include "base/network.h"
#include "base/strings.h"
#include "net/tls_errors.h"

namespace smp::net {
namespace {

constexpr std::string_view kCheckProxy = " - check proxy-url of the cluster in the kubeconfig, or HTTPS_PROXY";

// kubectl's message for failures of the connection (StandardErrorMessage in kubectl's cmd/util/helpers.go).
Error Unable(std::string_view why) { return Error::Transport(StrCat("Unable to connect to the server: ", why)); }

// Returns the detail without the number of the stream: many requests of a lost connection shall have the same error.
std::string WithoutStream(std::string_view detail) {
  constexpr std::string_view kStream = "HTTP/2 stream ";
  if (!detail.starts_with(kStream)) return std::string(detail);
  const size_t end = detail.find_first_not_of("0123456789", kStream.size());
  return end == detail.npos || detail[end] != ' ' ? std::string(detail) : StrCat(kStream, detail.substr(end + 1));
}

Error Reset(const HttpRequest& request, std::string_view detail) {
  Error error = Unable(StrCat("the connection was lost before the response to ", request.method, " ", request.path,
                              " was complete (", WithoutStream(detail), ")"));
  error.reason = kConnectionReset;
  return error;
}

Error Unreadable(const HttpRequest& request, std::string_view detail) {
  Error error = Unable(StrCat("the response to ", request.method, " ", request.path, " cannot be read (", detail, ")"));
  error.reason = kAnswerUnreadable;
  return error;
}

// Returns true if the request was sent, on this connection or, by libcurl itself, on one that broke.
bool WasSent(const Transfer& transfer) {
  return transfer.times_sent > 0 || CurlInfo<curl_off_t>(transfer, CURLINFO_PRETRANSFER_TIME_T) > 0;
}

// Returns "host:port", and the proxy if there is one.
std::string Destination(const CurlSettings& settings) {
  const ServerUrl& server = settings.server;
  const std::string to = StrCat(server.host, ":", server.port);
  return settings.proxy ? StrCat(to, " via the proxy ", settings.proxy->ToString()) : to;
}

Error TimedOut(const CurlSettings& settings, const Transfer& transfer) {
  if (CurlInfo<curl_off_t>(transfer, CURLINFO_PRETRANSFER_TIME_T) == 0) {
    return Unable(StrCat("dial tcp ", Destination(settings), ": i/o timeout - check the address and the network",
                         settings.proxy ? ", and the proxy" : ""));
  }
  const HttpRequest& request = *transfer.request;
  const int64_t limit_ms = settings.endpoint.request_timeout_ms;
  const std::string what = StrCat(request.method, " ", request.path);
  if (limit_ms > 0) {
    return Unable(StrCat("no response to ", what, " within ", limit_ms, " ms (--request-timeout)"));
  }
  return Unable(StrCat("the server sent nothing, or next to nothing, for ", settings.options.idle_timeout_s,
                       " s in response to ", what));
}

Error CouldNotConnect(const CurlSettings& settings, const Transfer& transfer, std::string_view detail) {
  const ServerUrl& server = settings.server;
  const bool refused = IsRefusal(CurlInfo<long>(transfer, CURLINFO_OS_ERRNO)) || detail.find("refused") != detail.npos;
  if (settings.proxy) {
    return Unable(StrCat("proxyconnect tcp: dial tcp ", settings.proxy->host, ":", settings.proxy->port, ": ",
                         refused ? "connect: connection refused" : detail, kCheckProxy));
  }
  if (!refused) return Unable(StrCat("dial tcp ", server.host, ":", server.port, ": ", detail));
  return Error::Transport(StrCat("The connection to the server ", server.HostPort(),
                                 " was refused - did you specify the right host or port?"));
}

Error TooLarge(const HttpRequest& request, std::string_view what) {
  Error error = Error::Transport(
      StrCat("the response to ", request.method, " ", request.path, " has a ", what, " and was not read completely"));
  error.reason = kAnswerTooLarge;
  return error;
}

Authorities AuthoritiesOf(const CurlSettings& settings) {
  if (settings.endpoint.certificate_authority.given()) return Authorities::kNamed;
  return settings.ca_file.empty() && !HasAuthoritiesStore() ? Authorities::kNone : Authorities::kOfSystem;
}

// Returns the error if the proxy refused to connect to the server, else nullopt.
std::optional<Error> ProxyRefusal(const CurlSettings& settings, const Transfer& transfer, CURLcode code,
                                  std::string_view detail) {
  if (!settings.proxy) return std::nullopt;
  const std::string which = StrCat("the proxy ", settings.proxy->ToString());
  if (code == CURLE_PROXY) return Unable(StrCat(which, " could not connect to the server: ", detail, kCheckProxy));
  const long status = CurlInfo<long>(transfer, CURLINFO_HTTP_CONNECTCODE);
  if (status == 407) {
    return Unable(StrCat(which,
                         " requires a user name and password (407 Proxy Authentication Required) - add them to the "
                         "proxy URL, as in http://user:password@host:port"));
  }
  if (status >= 300) return Unable(StrCat(which, " refused to connect to the server (HTTP ", status, ")", kCheckProxy));
  if (code == CURLE_PEER_FAILED_VERIFICATION && CurlInfo<long>(transfer, CURLINFO_PROXY_SSL_VERIFYRESULT) != 0) {
    return Unable(StrCat(which, ": ",
                         CertificateRefused(CurlInfo<long>(transfer, CURLINFO_PROXY_SSL_VERIFYRESULT),
                                            settings.proxy->host, detail, AuthoritiesOf(settings))));
  }
  return std::nullopt;
}

// A server that refuses a client certificate sends an alert and closes the connection. If we are already sending the
// request at that time, we see only that the connection is closed.
std::string_view CertificateHint(const CurlSettings& settings, const Transfer& transfer, CURLcode code,
                                 std::string_view detail) {
  const bool first_use = CurlInfo<long>(transfer, CURLINFO_NUM_CONNECTS) > 0;
  // The message is of the first failure and the code of the last one.
  const bool sending =
      code == CURLE_SEND_ERROR || detail.starts_with("Send failure") || detail.starts_with("SSL_write()");
  if (!settings.server.tls || !first_use || !sending) return "";
  return settings.endpoint.client_certificate.given()
             ? " - perhaps the server does not accept the client certificate of the user"
             : " - perhaps the server requires a client certificate";
}

Error BrokenConnection(const CurlSettings& settings, const Transfer& transfer, CURLcode code, std::string_view detail) {
  const std::string alert = AlertMeaning(detail);
  if (!alert.empty()) return Unable(alert);
  if (code == CURLE_SSL_CONNECT_ERROR && !WasSent(transfer)) return Unable(StrCat("tls: ", detail));
  Error error = Reset(*transfer.request, detail);
  error.message += CertificateHint(settings, transfer, code, detail);
  return error;
}

Error Explain(const CurlSettings& settings, const Transfer& transfer, CURLcode code) {
  const std::string_view detail = transfer.error[0] != '\0' ? transfer.error.data() : curl_easy_strerror(code);
  const std::string& name = settings.endpoint.tls_server_name;
  if (std::optional<Error> refusal = ProxyRefusal(settings, transfer, code, detail)) return *std::move(refusal);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return Unable(
          StrCat("dial tcp: lookup ", settings.server.host, ": no such host - check the server of the kubeconfig"));
    case CURLE_COULDNT_RESOLVE_PROXY: return Unable(StrCat("proxyconnect tcp: ", detail, kCheckProxy));
    case CURLE_COULDNT_CONNECT: return CouldNotConnect(settings, transfer, detail);
    case CURLE_WEIRD_SERVER_REPLY: return Unreadable(*transfer.request, detail);
    case CURLE_OPERATION_TIMEDOUT: return TimedOut(settings, transfer);
    case CURLE_PEER_FAILED_VERIFICATION:
      return Unable(CertificateRefused(CurlInfo<long>(transfer, CURLINFO_SSL_VERIFYRESULT),
                                       name.empty() ? settings.server.host : name, detail, AuthoritiesOf(settings)));
    case CURLE_SSL_CACERT_BADFILE:
      return Unable(
          StrCat("unable to load root certificates: ", detail, " - check certificate-authority of the cluster"));
    case CURLE_SSL_CERTPROBLEM:
      return Unable(
          StrCat("tls: the client certificate or its key cannot be used: ", detail,
                 " - check client-certificate and client-key of the user (encrypted keys are not supported)"));
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return BrokenConnection(settings, transfer, code, detail);
    default: return Unable(detail);
  }
}

Error WhatFailed(const CurlSettings& settings, const Transfer& transfer, CURLcode code) {
  if (transfer.out_of_memory) return Error::Internal("out of memory");
  if (!transfer.too_large.empty()) return TooLarge(*transfer.request, transfer.too_large);
  if (!transfer.unreadable.empty()) return Unreadable(*transfer.request, transfer.unreadable);
  return Explain(settings, transfer, code);
}

Error TransferError(const CurlSettings& settings, const Transfer& transfer, CURLcode code) {
  Error error = WhatFailed(settings, transfer, code);
  if (!WasSent(transfer)) return error;
  error.message += MaybeProcessed(*transfer.request);
  // The server ended after it got the request, and libcurl could not send it again.
  if (code == CURLE_COULDNT_CONNECT) error.reason = kConnectionReset;
  return error;
}

std::string_view HttpVersionName(long version) {
  switch (version) {
    case CURL_HTTP_VERSION_1_0: return "HTTP/1.0";
    case CURL_HTTP_VERSION_1_1: return "HTTP/1.1";
    case CURL_HTTP_VERSION_2_0: return "HTTP/2";
    default: return "no HTTP";
  }
}

}  // namespace

std::string LogLineOf(const CurlSettings& settings, const Transfer& transfer, CURLcode code) {
  const HttpRequest& request = *transfer.request;
  const std::string outcome =
      code == CURLE_OK ? std::to_string(CurlInfo<long>(transfer, CURLINFO_RESPONSE_CODE)) : curl_easy_strerror(code);
  return StrCat(request.method, " ", settings.server.ToString(), request.path, " ", outcome, " in ",
                CurlInfo<curl_off_t>(transfer, CURLINFO_TOTAL_TIME_T) / 1000, " milliseconds, ",
                HttpVersionName(CurlInfo<long>(transfer, CURLINFO_HTTP_VERSION)),
                CurlInfo<long>(transfer, CURLINFO_NUM_CONNECTS) > 0 ? ", new connection" : "");
}

Result<HttpResponse> AnswerOf(const CurlSettings& settings, Transfer& transfer, CURLcode code) {
  if (code == CURLE_OK && transfer.gunzip && !transfer.gunzip->IsWhole()) {
    transfer.unreadable = "its gzip stream ends early";
    return TransferError(settings, transfer, CURLE_PARTIAL_FILE);
  }
  if (code != CURLE_OK) return TransferError(settings, transfer, code);
  transfer.response.status = static_cast<int>(CurlInfo<long>(transfer, CURLINFO_RESPONSE_CODE));
  transfer.response.resent = transfer.times_sent > 1;
  transfer.response.milliseconds = CurlInfo<curl_off_t>(transfer, CURLINFO_TOTAL_TIME_T) / 1000;
  return std::move(transfer.response);
}

}  // namespace smp::net
