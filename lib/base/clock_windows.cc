#include <time.h>

#include "base/clock.h"

namespace smp {

int64_t MonotonicMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::tm LocalTime(std::time_t seconds) {
  std::tm local = {};
  (void)localtime_s(&local, &seconds);
  return local;
}

}  // namespace smp
