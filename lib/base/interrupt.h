// Ctrl-C: a flag that a signal handler raises and that any thread can check, poll, or sleep on. Code that works in
// steps takes a `const Interrupt&` and checks it between steps; only a command decides that signals raise it.
//
//   const SignalsInterrupt signals;  // from here on, SIGINT, SIGTERM and SIGHUP raise ProcessInterrupt()
//   while (!Done()) {
//     if (!ProcessInterrupt().SleepMs(1000)) return Stopped();  // woken at once
//   }
//
// The second signal ends the program with status 130 (the third if a HoldExit exists). A signal within kSameSignalMs of
// the last counted one is a duplicate and ignored: timeout(1) and other wrappers signal the program and then its
// process group.
#pragma once

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
  // For poll(): becomes readable when the flag is raised and stays readable. Do not read from it.
  int fd() const { return read_.get(); }
  // Returns false if raised before or during the sleep.
  bool SleepMs(int64_t ms) const;
  // Returns how often the flag has been raised, including this call. Async-signal-safe.
  int Raise();

 private:
  std::atomic<int> count_ = 0;
  Fd read_;
  Fd write_;
};

// The instance that signals raise.
Interrupt& ProcessInterrupt();

// While it exists, SIGINT, SIGTERM and SIGHUP raise ProcessInterrupt(). An ignored signal (nohup) stays ignored.
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

// While one exists, a second signal does not end the program, so that half-done work can be finished or reported.
class HoldExit {
 public:
  HoldExit();
  ~HoldExit();
  HoldExit(const HoldExit&) = delete;
  HoldExit& operator=(const HoldExit&) = delete;
};

}  // namespace smp
