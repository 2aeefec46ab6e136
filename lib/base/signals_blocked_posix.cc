#include <pthread.h>

#include <csignal>

#include "base/signals_blocked.h"

namespace smp {

struct SignalsBlocked::Before {
  sigset_t set;
};

SignalsBlocked::SignalsBlocked() : before_(std::make_unique<Before>()) {
  sigset_t all;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, fault);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before_->set);
}

SignalsBlocked::~SignalsBlocked() { (void)pthread_sigmask(SIG_SETMASK, &before_->set, nullptr); }

}  // namespace smp
