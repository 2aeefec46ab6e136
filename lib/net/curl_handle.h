// Types that the parts of the curl transport share: its settings and one request in flight. Only for curl_*.cc.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/gunzip.h"
#include "net/curl_easy.h"
#include "net/curl_transport.h"
#include "net/endpoint.h"
#include "net/proxy_rules.h"
#include "net/server_url.h"
#include "net/transport.h"

namespace smp::net {

// Settings shared by all transfers of a connection, in the form that libcurl needs.
struct CurlSettings {
  Endpoint endpoint;
  TransportOptions options;
  ServerUrl server;
  std::optional<ProxyUrl> proxy;
  std::string url_base;     // "https://name:port/prefix"
  std::string host_header;  // "Host: …" if the name in the URL is not the server's
  HeaderList connect_to;    // maps the URL's host to the real host if tls-server-name is set
  std::string ca_file;      // path of the system's CA bundle
};

// One request in flight. libcurl keeps its address, so it must not move.
struct Transfer {
  Easy easy;
  const HttpRequest* request = nullptr;  // owned by the waiting caller
  HttpResponse response;
  HeaderList headers;
  std::string url;
  int times_sent = 0;  // libcurl sends a request again if a reused connection breaks before the response
  size_t header_bytes = 0;
  size_t max_body_bytes = 0;
  std::optional<Gunzip> gunzip;  // of a body that comes packed
  std::string too_large;         // which part of the answer is too large, for the message; "" if not too large
  std::string unreadable;        // why the answer cannot be read, likewise
  bool out_of_memory = false;
  std::array<char, CURL_ERROR_SIZE> error = {};
};

template <class T>
T CurlInfo(const Transfer& transfer, CURLINFO what) {
  return Info<T>(transfer.easy.get(), what);
}

}  // namespace smp::net
