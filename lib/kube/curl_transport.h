// The real transport: libcurl, TLS verified, HTTP/2 with HTTP/1.1 fallback, one connection reused. No other file includes curl.
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
  std::string user_agent;
  int parallel = 16;                                // requests in flight at most
  std::function<void(const std::string&)> log = {};  // a line per request and answer (-v); no credentials, no bodies
};

Result<std::unique_ptr<Transport>> MakeCurlTransport(const ConnectionConfig& config, const TransportOptions& options);

}  // namespace smp

#endif  // SMP_KUBE_CURL_TRANSPORT_H_
