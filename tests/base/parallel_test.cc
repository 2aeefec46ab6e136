#include "base/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <thread>
#include <vector>

namespace smp {
namespace {

TEST(ParallelFor, TakesEachStepOnce) {
  std::vector<std::atomic<int>> times(1000);
  ParallelFor(times.size(), 8, [&](size_t i) { ++times[i]; });
  for (const auto& count : times) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, NeverRunsMoreThanSoManyAtOnce) {
  std::atomic<int> running = 0, most = 0;
  ParallelFor(200, 3, [&](size_t) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 3);
}

TEST(ParallelFor, OneThreadIsTheCallersAndKeepsTheOrder) {
  std::vector<size_t> order;
  ParallelFor(5, 1, [&](size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, DoesAllWhereNoThreadCanBeStarted) {
  constexpr size_t kLargerThanMemory = 1UL << 47;
  pthread_attr_t before, huge;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, kLargerThanMemory), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  std::vector<size_t> order;
  ParallelFor(5, 4, [&](size_t i) { order.push_back(i); });
  EXPECT_EQ(pthread_setattr_default_np(&before), 0);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&before);
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, NothingToDo) {
  ParallelFor(0, 4, [](size_t) { FAIL(); });
}

}  // namespace
}  // namespace smp
