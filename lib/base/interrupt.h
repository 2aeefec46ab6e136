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

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace smp {

inline constexpr int64_t kSameSignalMs = 500;

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool raised() const { return count_.load() > 0; }
  // What the system can wait for until the flag is raised: a descriptor that becomes readable and from which nobody may
  // read, on Windows an event. Not positive if the system had none left.
  std::intptr_t handle() const;
  // Returns false if raised before or during the sleep.
  bool SleepMs(int64_t ms) const;
  // Returns how often the flag has been raised, including this call. Async-signal-safe.
  int Raise();

 private:
  struct Bell;  // wakes who waits

  std::atomic<int> count_ = 0;
  std::unique_ptr<Bell> bell_;
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
  struct Before;
  std::unique_ptr<Before> before_;
};

// Counts a signal, and ends the program if it is one too many. Called by the system's handler. Async-signal-safe.
void CountSignal();

// While it exists, the first signal writes this line to standard error: why the program does not end yet. One at a time.
class InterruptNotice {
 public:
  explicit InterruptNotice(const char* line);  // must outlive it
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;
};

// Writes to standard error without buffers or locks. Async-signal-safe.
void WriteErrorInSignal(std::string_view text);

// While one exists, a second signal does not end the program, so that half-done work can be finished or reported.
class HoldExit {
 public:
  HoldExit();
  ~HoldExit();
  HoldExit(const HoldExit&) = delete;
  HoldExit& operator=(const HoldExit&) = delete;
};

}  // namespace smp
