// The interface for reading the time and sleeping. Tests replace it, so that they need not wait.
#ifndef SMP_BASE_CLOCK_H_
#define SMP_BASE_CLOCK_H_

#include <chrono>
#include <cstdint>

#include "base/interrupt.h"

namespace smp {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowMs() = 0;  // steady; the starting point is arbitrary
  // Returns false if interrupted (Ctrl-C) before or during the sleep.
  virtual bool SleepMs(int64_t ms) = 0;
};

class RealClock : public Clock {
 public:
  explicit RealClock(const Interrupt& interrupt) : interrupt_(interrupt) {}
  int64_t NowMs() override {
    using std::chrono::steady_clock;
    return std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count();
  }
  bool SleepMs(int64_t ms) override { return interrupt_.SleepMs(ms); }

 private:
  const Interrupt& interrupt_;
};

}  // namespace smp

#endif  // SMP_BASE_CLOCK_H_
