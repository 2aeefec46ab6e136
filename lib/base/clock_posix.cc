#include <time.h>

#include "base/clock.h"

namespace smp {

int64_t MonotonicMs() {
  timespec now = {};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

std::tm LocalTime(std::time_t seconds) {
  std::tm local = {};
  (void)localtime_r(&seconds, &local);
  return local;
}

}  // namespace smp
