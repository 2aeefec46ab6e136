#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <thread>

#include "base/deep_thread.h"

namespace smp {

void ParallelFor(size_t n, int threads, const std::function<void(size_t)>& step) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) step(i);
  };
  const size_t others = std::min(n, static_cast<size_t>(std::max(threads, 1)));
  std::list<DeepThread> pool;
  // If no more threads can be started (as in a container with a limit), the existing ones run all steps.
  while (pool.size() + 1 < others && pool.emplace_back(work).started()) {
  }
  work();
  for (DeepThread& thread : pool) {
    if (const std::exception_ptr thrown = thread.Wait()) std::rethrow_exception(thrown);
  }
}

int ThreadsForText(size_t bytes) {
  constexpr size_t kTextForThread = 64UL << 10;  // takes about as long to read as a thread takes to start
  return static_cast<int>(std::min<size_t>(bytes / kTextForThread, std::thread::hardware_concurrency()));
}

}  // namespace smp
