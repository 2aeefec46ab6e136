// A transport that adds credentials and impersonation headers to each request, after logging transports have seen it.
// On a 401 it gets new credentials and resends the request once, which is safe: the server did not execute it.
#pragma once

#include <functional>
#include <memory>

#include "auth/credentials.h"
#include "auth/kubeconfig.h"
#include "base/result.h"
#include "net/curl_transport.h"
#include "net/transport.h"

namespace smp::auth {

// Does not run an exec plugin before the first request. Errors: those of MakeCurlTransport; invalid-argument if
// credentials cannot be sent in a header.
Result<std::unique_ptr<net::Transport>> MakeAuthTransport(const ConnectionConfig& config,
                                                          const net::TransportOptions& options);

// The same as above, but over any transport (for tests). Calls `connect` for the first request and whenever the
// certificate changes; the transport that it returns must call `credentials` for the headers to add. `refusal_hint`
// becomes the hint of a 401 that persists with new credentials.
using ConnectFunction = std::function<Result<std::unique_ptr<net::Transport>>(
    const Credentials&, std::function<net::Headers()> credentials)>;
std::unique_ptr<net::Transport> MakeAuthTransport(std::unique_ptr<CredentialSource> source, net::Headers impersonation,
                                                  ConnectFunction connect, std::string refusal_hint = {});

}  // namespace smp::auth
