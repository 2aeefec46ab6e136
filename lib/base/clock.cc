#include "base/clock.h"

#include <time.h>

#include "base/interrupt.h"

namespace smp {

namespace {

class RealClock : public Clock {
 public:
  int64_t NowMs() override { return MonotonicMs(); }
  std::chrono::sys_seconds WallTime() override {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }
  bool SleepMs(int64_t ms) override { return ProcessInterrupt().SleepMs(ms); }
};

}  // namespace

int64_t MonotonicMs() {
  timespec now = {};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

Clock& ProcessClock() {
  static RealClock clock;
  return clock;
}

}  // namespace smp
