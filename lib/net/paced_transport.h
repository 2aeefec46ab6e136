// A transport that limits the requests per second (--qps), to spare shared servers.
#pragma once

#include <memory>

#include "base/clock.h"
#include "net/transport.h"

namespace smp::net {

// `clock` must outlive the transport. After an interrupt (Ctrl-C), requests are sent without delay, so that work
// already begun can be finished. REQUIRES: qps > 0.
std::unique_ptr<Transport> PaceTransport(std::unique_ptr<Transport> transport, double qps, Clock& clock);

}  // namespace smp::net
