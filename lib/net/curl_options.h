// Sets the options of a libcurl handle for a connection and a request: TLS, proxy, time limits, headers, body.
#ifndef SMP_NET_CURL_OPTIONS_H_
#define SMP_NET_CURL_OPTIONS_H_

#include "base/result.h"
#include "net/curl_handle.h"

namespace smp {

// Errors: invalid-argument, for a server, proxy or tls-server-name that cannot be used.
Result<CurlSettings> MakeCurlSettings(const Endpoint& endpoint, const TransportOptions& options);

// Prepares the transfer for its request; the answer is stored in it. The settings must outlive it.
Status PrepareTransfer(const CurlSettings& settings, Transfer& transfer);

}  // namespace smp

#endif  // SMP_NET_CURL_OPTIONS_H_
