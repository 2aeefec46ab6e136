// What the parts of the curl transport share: its settings and one request in flight. Included by curl_*.cc only.
#ifndef SMP_KUBE_CURL_HANDLE_H_
#define SMP_KUBE_CURL_HANDLE_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "kube/curl_easy.h"
#include "kube/curl_transport.h"
#include "kube/endpoint.h"
#include "kube/proxy_rules.h"
#include "kube/server_url.h"
#include "kube/transport.h"

namespace smp {

// Settings that every transfer of the connection shares, in the form libcurl wants them.
struct CurlSettings {
  Endpoint endpoint;
  TransportOptions options;
  ServerUrl server;
  std::optional<ProxyUrl> proxy;
  std::string url_base;     // "https://name:port/prefix"
  std::string host_header;  // "Host: …" where the name in the URL is not the server's
  HeaderList connect_to;    // to the real host, when tls-server-name stands in the URL
  std::string ca_file;      // of the system
};

// One request in flight. Its address is known to libcurl.
struct Transfer {
  Easy easy;
  const HttpRequest* request = nullptr;  // of a caller, who waits
  HttpResponse response;
  HeaderList headers;
  std::string url;
  size_t header_bytes = 0;
  size_t max_body_bytes = 0;
  std::string too_large;  // what of the answer is, in words
  std::array<char, CURL_ERROR_SIZE> error = {};
};

template <class T>
T CurlInfo(const Transfer& transfer, CURLINFO what) {
  return Info<T>(transfer.easy.get(), what);
}

}  // namespace smp

#endif  // SMP_KUBE_CURL_HANDLE_H_
