// A transport that sends no more than so many requests a second (--qps), for servers that others need, too.
#ifndef SMP_KUBE_PACED_TRANSPORT_H_
#define SMP_KUBE_PACED_TRANSPORT_H_

#include <memory>

#include "base/clock.h"
#include "kube/transport.h"

namespace smp {

// `clock` must outlive the transport. When it is interrupted, requests are sent at once: what was begun is to be
// finished. REQUIRES: qps > 0.
std::unique_ptr<Transport> PaceTransport(std::unique_ptr<Transport> transport, double qps, Clock& clock);

}  // namespace smp

#endif  // SMP_KUBE_PACED_TRANSPORT_H_
