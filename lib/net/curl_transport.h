// The real transport: libcurl, TLS verified, HTTP/2 with HTTP/1.1 fallback, connections reused, proxies by Go's rules.
// Only curl_*.cc include curl. A client certificate is the only credential it knows: see auth_transport.h.
//
// A thread of its own drives all transfers, so Send and SendAll may be called from several threads at once: their
// requests share the connection (as streams, if the server speaks HTTP/2). A redirect is not followed: a 3xx is an
// answer.
//
// libcurl itself repeats a request, even a POST, if a reused connection dies before the first byte of the answer. The
// first copy may have been carried out: callers that create must read the object after an AlreadyExists and compare,
// and a PATCH must be idempotent or guarded.
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
  // Gets a line per answer (-v), without credentials and bodies. Called in the transport's thread.
  std::function<void(const std::string&)> log = {};
  int64_t connect_timeout_ms = 30'000;  // name lookup, TCP, proxy and TLS together; client-go's limit for TCP
  int64_t idle_timeout_s = 300;         // how long a server may send nothing; not used with --request-timeout
  size_t max_body_bytes = 256UL << 20;  // after decompression: a small gzip can grow a thousandfold
};

// Error: invalid-argument, for a server URL, proxy or tls-server-name that cannot be used. Sends nothing.
Status CheckConnection(const Endpoint& endpoint);

// The client certificate is the only credential it uses. Errors: as CheckConnection.
Result<std::unique_ptr<Transport>> MakeCurlTransport(const Endpoint& endpoint, const TransportOptions& options);

}  // namespace smp::net
