// The transport of a connection, logged in: credentials and impersonation are added to each request, beneath everything
// that logs. When the server says 401, the credentials are got again and the requests it refused are sent once more:
// they were not carried out.
#ifndef SMP_KUBE_AUTH_TRANSPORT_H_
#define SMP_KUBE_AUTH_TRANSPORT_H_

#include <functional>
#include <memory>

#include "base/result.h"
#include "kube/credentials.h"
#include "kube/curl_transport.h"
#include "kube/kubeconfig.h"
#include "kube/transport.h"

namespace smp {

// No credentials are got before the first request. Errors: invalid-argument, as MakeCurlTransport and for credentials
// that cannot be sent.
Result<std::unique_ptr<Transport>> MakeAuthTransport(const ConnectionConfig& config, const TransportOptions& options);

// The same over any transport, for tests. `connect` is called for the first request and whenever the certificate
// changes; its transport asks the function it gets for the headers to add. `refusal_hint` goes with a 401 that stays.
using ConnectFunction =
    std::function<Result<std::unique_ptr<Transport>>(const Credentials&, std::function<Headers()> credentials)>;
std::unique_ptr<Transport> MakeAuthTransport(std::unique_ptr<CredentialSource> source, Headers impersonation,
                                             ConnectFunction connect, std::string refusal_hint = {});

}  // namespace smp

#endif  // SMP_KUBE_AUTH_TRANSPORT_H_
