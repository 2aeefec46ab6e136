// The time, and waiting for it. Tests replace the clock, so that they need not wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace smp {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowMs() = 0;  // steady; the starting point is arbitrary
  virtual std::chrono::sys_seconds WallTime() = 0;
  // Returns false if interrupted (Ctrl-C) before or during the sleep.
  virtual bool SleepMs(int64_t ms) = 0;

  bool interrupted() { return !SleepMs(0); }
};

// Steady time since an arbitrary starting point. Async-signal-safe.
int64_t MonotonicMs();

// The time in the user's time zone.
std::tm LocalTime(std::time_t seconds);

// The real clock; ProcessInterrupt() ends its sleeps. Thread-safe.
Clock& ProcessClock();

}  // namespace smp
