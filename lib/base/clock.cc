#include "base/clock.h"

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

Clock& ProcessClock() {
  static RealClock clock;
  return clock;
}

}  // namespace smp
