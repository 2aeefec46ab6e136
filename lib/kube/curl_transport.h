// The real transport: libcurl, TLS verified, HTTP/2 with HTTP/1.1 fallback, connections reused. No other file includes
// curl.
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

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "kube/kubeconfig.h"
#include "kube/transport.h"

namespace smp {

struct TransportOptions {
  std::string user_agent = {};
  int parallel = 16;  // requests in flight at most, over all callers
  std::function<void(const std::string&)> log =
      {};  // a line per answer (-v), from the transport's thread; no credentials, no bodies
};

// Errors: invalid-argument, for a server URL or credentials that cannot be sent.
Result<std::unique_ptr<Transport>> MakeCurlTransport(const ConnectionConfig& config, const TransportOptions& options);

}  // namespace smp

#endif  // SMP_KUBE_CURL_TRANSPORT_H_
