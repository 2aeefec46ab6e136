// A clock for tests: sleeping takes no time, and Ctrl-C comes when the test says.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace smp {

class FakeClock : public Clock {
 public:
  int64_t NowMs() override { return now_ms; }
  std::chrono::sys_seconds WallTime() override {
    return std::chrono::sys_days(std::chrono::year(2026) / 1 / 4) + std::chrono::seconds(now_ms / 1000);
  }
  bool SleepMs(int64_t ms) override {
    now_ms += ms;
    return now_ms < interrupted_at_ms;
  }

  std::atomic<int64_t> now_ms = 0;  // several threads may ask
  int64_t interrupted_at_ms = std::numeric_limits<int64_t>::max();
};

}  // namespace smp
