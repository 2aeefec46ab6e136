#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace smp {

void ParallelFor(size_t n, int threads, const std::function<void(size_t)>& step) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) step(i);
  };
  const size_t others = std::min(n, static_cast<size_t>(std::max(threads, 1)));
  std::vector<std::jthread> pool;
  try {
    for (size_t i = 1; i < others; ++i) pool.emplace_back(work);
  } catch (const std::system_error&) {
    // No more threads can be started (as in a container with a limit): the existing ones run all steps.
  }
  work();
}

}  // namespace smp
