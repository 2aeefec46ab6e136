// The real transport: libcurl, TLS verified, HTTP/2 with HTTP/1.1 fallback, connections reused, proxies by Go's rules.
// Only curl_*.cc include curl. Who the user is, it does not know, but for a client certificate: see auth_transport.h.
//
// One thread of its own drives all transfers, so Send and SendAll may be called from several threads at once: their
// requests share the connection (streams of one HTTP/2 connection where the server speaks it). Redirects are not
// followed: a 3xx is an answer.
//
// libcurl repeats a request by itself when a reused connection dies before a byte of the answer came, a POST too. The
// first copy may have been carried out: callers that create must read an AlreadyExists again and compare, and a PATCH
// must be idempotent or guarded.
#ifndef SMP_KUBE_CURL_TRANSPORT_H_
#define SMP_KUBE_CURL_TRANSPORT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "kube/endpoint.h"
#include "kube/transport.h"

namespace smp {

struct TransportOptions {
  std::string user_agent = {};
  int parallel = 16;  // requests in flight at most, over all callers
  // Headers that each request gets when it is sent (Authorization, Impersonate-…), from the transport's thread; must
  // not wait for anything.
  std::function<Headers()> credentials = {};
  // A line per answer (-v), from the transport's thread; no credentials, no bodies.
  std::function<void(const std::string&)> log = {};
  int64_t connect_timeout_ms = 30'000;  // name lookup, TCP, proxy and TLS together; client-go's for TCP
  int64_t idle_timeout_s = 300;         // without --request-timeout: of a server that sends nothing
  size_t max_body_bytes = 256UL << 20;  // after decompression: a small gzip can grow a thousandfold
};

// Error: invalid-argument, for a server URL, proxy or tls-server-name that cannot be used. Sends nothing.
Status CheckConnection(const Endpoint& endpoint);

// Of all credentials it uses the client certificate only. Errors: as CheckConnection.
Result<std::unique_ptr<Transport>> MakeCurlTransport(const Endpoint& endpoint, const TransportOptions& options);

}  // namespace smp

#endif  // SMP_KUBE_CURL_TRANSPORT_H_
