#include "base/signals_blocked.h"

namespace smp {

// Windows sends no signals to threads: Ctrl-C comes in a thread of its own.
struct SignalsBlocked::Before {};

SignalsBlocked::SignalsBlocked() = default;

SignalsBlocked::~SignalsBlocked() = default;

}  // namespace smp
