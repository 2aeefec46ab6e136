// Sets the options of a libcurl handle for a connection and a request: TLS, proxy, time limits, headers, body.
#pragma once

#include "base/result.h"
#include "net/curl_handle.h"

namespace smp::net {

// Errors: invalid-argument, for a server, proxy or tls-server-name that cannot be used.
Result<CurlSettings> MakeCurlSettings(const Endpoint& endpoint, const TransportOptions& options);

// Prepares the transfer to send its request and store the response. `settings` must outlive it. REQUIRES: its handle is new.
Status PrepareTransfer(const CurlSettings& settings, Transfer& transfer);

}  // namespace smp::net
