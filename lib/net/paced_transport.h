// A transport that limits the requests per second (--qps), for servers that others share.
#pragma once

#include <memory>

#include "base/clock.h"
#include "net/transport.h"

namespace smp::net {

// `clock` must outlive the transport. After an interrupt, requests are sent at once, so that work already begun gets
// finished. REQUIRES: qps > 0.
std::unique_ptr<Transport> PaceTransport(std::unique_ptr<Transport> transport, double qps, Clock& clock);

}  // namespace smp::net
