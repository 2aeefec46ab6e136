// A transport that logs in: it adds credentials and impersonation to each request, below everything that logs. On a 401
// it gets the credentials again and resends the refused requests once; the server did not carry them out.
#pragma once

#include <functional>
#include <memory>

#include "auth/credentials.h"
#include "auth/kubeconfig.h"
#include "base/result.h"
#include "net/curl_transport.h"
#include "net/transport.h"

namespace smp::auth {

// Runs no exec plugin before the first request. Errors: invalid-argument, as MakeCurlTransport and for credentials that
// cannot be sent.
Result<std::unique_ptr<net::Transport>> MakeAuthTransport(const ConnectionConfig& config,
                                                          const net::TransportOptions& options);

// Same over any transport, for tests. `connect` is called for the first request and whenever the certificate changes;
// the transport it returns gets the headers to add from the given function. `refusal_hint` is added to a 401 that a new
// login does not fix.
using ConnectFunction = std::function<Result<std::unique_ptr<net::Transport>>(
    const Credentials&, std::function<net::Headers()> credentials)>;
std::unique_ptr<net::Transport> MakeAuthTransport(std::unique_ptr<CredentialSource> source, net::Headers impersonation,
                                                  ConnectFunction connect, std::string refusal_hint = {});

}  // namespace smp::auth
