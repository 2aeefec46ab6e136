// Ctrl-C: a flag that a signal handler raises and that any thread can check, poll, or sleep on. Code that works in
// steps takes a `const Interrupt&` and checks it between steps; only a command decides that signals raise it.
//
//   const SignalsInterrupt signals;  // from here on, SIGINT, SIGTERM and SIGHUP raise ProcessInterrupt()
//   while (!Done()) {
//     if (!ProcessInterrupt().SleepMs(1000)) return Stopped();  // woken at once
//   }
//
// The second signal ends the program with status 130, unless a HoldExit exists (then the third does). A signal within
// kSameSignalMs of the last one that counted is a duplicate: timeout(1) and other wrappers signal the program and then
// its group.
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
  // Becomes readable when the flag is raised and stays so, for poll() along with other descriptors. Nobody reads it.
  int fd() const { return read_.get(); }
  // Returns false if raised before or during the sleep.
  bool SleepMs(int64_t ms) const;
  // Safe in a signal handler. Returns how often it was raised, including this time.
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

// While one exists, a second signal does not end the program: half-done work must be finished or reported.
class HoldExit {
 public:
  HoldExit();
  ~HoldExit();
  HoldExit(const HoldExit&) = delete;
  HoldExit& operator=(const HoldExit&) = delete;
};

}  // namespace smp
