// Ctrl-C: a flag that a signal handler raises and that any thread can look at, poll, or sleep on. Who works in steps
// gets a `const Interrupt&` and looks at it between them; only a command decides that signals raise it.
//
//   const SignalsInterrupt signals;                      // SIGINT, SIGTERM, SIGHUP raise ProcessInterrupt() from here
//   on while (!Done()) {
//     if (!ProcessInterrupt().SleepMs(1000)) return Stopped();   // woken at once
//   }
//
// The second signal ends the program with status 130, unless a HoldExit lives (then the third does). What comes within
// kSameSignalMs of a signal is that signal: timeout(1) and other wrappers send one to the program and again to its
// group.
#ifndef SMP_BASE_INTERRUPT_H_
#define SMP_BASE_INTERRUPT_H_

#include <signal.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "base/fd.h"

namespace smp {

inline constexpr int64_t kSameSignalMs = 500;

class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool raised() const { return count_.load() > 0; }
  // Readable from the moment that the flag is raised, for ever: for poll() beside other descriptors. Nobody reads it.
  int fd() const { return read_.get(); }
  // False when it was raised before the time was over, or before the call.
  bool SleepMs(int64_t ms) const;
  // Safe in a signal handler. Returns how often it was raised, this time included.
  int Raise();

 private:
  std::atomic<int> count_ = 0;
  Fd read_;
  Fd write_;
};

// The one that signals raise.
Interrupt& ProcessInterrupt();

// While it lives, SIGINT, SIGTERM and SIGHUP raise ProcessInterrupt(). A signal that was ignored (nohup) stays so.
class SignalsInterrupt {
 public:
  SignalsInterrupt();
  ~SignalsInterrupt();
  SignalsInterrupt(const SignalsInterrupt&) = delete;
  SignalsInterrupt& operator=(const SignalsInterrupt&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

// While one lives, something is half done that must be finished or told: a second signal does not end the program.
class HoldExit {
 public:
  HoldExit();
  ~HoldExit();
  HoldExit(const HoldExit&) = delete;
  HoldExit& operator=(const HoldExit&) = delete;
};

}  // namespace smp

#endif  // SMP_BASE_INTERRUPT_H_
