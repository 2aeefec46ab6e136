// A transport that limits the requests per second (--qps), for servers that others share.
#ifndef SMP_NET_PACED_TRANSPORT_H_
#define SMP_NET_PACED_TRANSPORT_H_

#include <memory>

#include "base/clock.h"
#include "net/transport.h"

namespace smp {

// `clock` must outlive the transport. After an interrupt, requests are sent at once, so that work already begun gets
// finished. REQUIRES: qps > 0.
std::unique_ptr<Transport> PaceTransport(std::unique_ptr<Transport> transport, double qps, Clock& clock);

}  // namespace smp

#endif  // SMP_NET_PACED_TRANSPORT_H_
