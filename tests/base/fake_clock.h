// A clock for tests: sleeping takes no time, and Ctrl-C comes when the test says.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace smp {

class FakeClock : public Clock {
 public:
  int64_t NowMs() override { return now_ms; }
  bool SleepMs(int64_t ms) override {
    now_ms += ms;
    return now_ms < interrupted_at_ms;
  }

  std::atomic<int64_t> now_ms = 0;  // several threads may ask
  int64_t interrupted_at_ms = std::numeric_limits<int64_t>::max();
};

}  // namespace smp
