// The real transport: libcurl, TLS verified, HTTP/2 with HTTP/1.1 fallback, connections reused, proxies by Go's rules.
// Only curl_*.cc include libcurl. It handles client certificates; auth_transport.h adds all other credentials.
//
// One background thread runs all transfers, so Send and SendAll may be called from several threads at once: their
// requests share the connection (as streams, if the server supports HTTP/2). Redirects are not followed: a 3xx is
// returned like any other response.
//
// libcurl resends a request, even a POST, if a reused connection breaks before the first byte of the response, and sets
// HttpResponse::resent. The server may have executed the first copy: after a conflict, callers must read the object, and
// a PATCH must be idempotent or have a precondition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/endpoint.h"
#include "net/transport.h"

namespace smp::net {

struct TransportOptions {
  std::string user_agent = {};
  int parallel = 16;  // maximum number of requests in flight, over all callers
  // Returns the headers to add to a request when it is sent (Authorization, Impersonate-…). Called in the transport's
  // thread; must not block.
  std::function<Headers()> credentials = {};
  // Called in the transport's thread with a log line for each response (-v), without credentials and bodies.
  std::function<void(const std::string&)> log = {};
  int64_t connect_timeout_ms = 30'000;  // name lookup, TCP, proxy and TLS together; client-go's limit for TCP
  int64_t idle_timeout_s = 300;         // maximum silence of the server; ignored with --request-timeout
  size_t max_body_bytes = 256UL << 20;  // after decompression: a small gzip can grow a thousandfold
};

// Error: invalid-argument, for a server URL, proxy or tls-server-name that cannot be used. Sends nothing.
Status CheckConnection(const Endpoint& endpoint);

// Of the credentials, uses only the client certificate of `endpoint`. Errors: as CheckConnection.
Result<std::unique_ptr<Transport>> MakeCurlTransport(const Endpoint& endpoint, const TransportOptions& options);

}  // namespace smp::net
