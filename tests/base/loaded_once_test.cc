#include "base/loaded_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace smp {
namespace {

using Number = std::shared_ptr<const int>;
using Numbers = LoadedOnce<Number>;

Result<Number> Of(int number) { return std::make_shared<const int>(number); }

TEST(LoadedOnce, EachKeyIsLoadedOnce) {
  Numbers numbers;
  int loads = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(**numbers.Get("a", [&] { return ++loads, Of(1); }), 1);
    EXPECT_EQ(**numbers.Get("b", [&] { return ++loads, Of(2); }), 2);
  }
  EXPECT_EQ(loads, 2);
}

TEST(LoadedOnce, ErrorsAndNullAreNotKept) {
  Numbers numbers;
  EXPECT_FALSE(numbers.Get("a", [] { return Error::Transport("reset"); }).ok());
  EXPECT_EQ(*numbers.Get("a", [] { return Result<Number>(nullptr); }), nullptr);
  EXPECT_EQ(**numbers.Get("a", [] { return Of(1); }), 1);
}

TEST(LoadedOnce, WhatWasForgottenDuringItsLoadIsNotKept) {
  Numbers numbers;
  const auto stale = numbers.Get("a", [&] {
    numbers.Forget("a");
    EXPECT_EQ(**numbers.Get("a", [] { return Of(2); }), 2);
    return Of(1);
  });
  EXPECT_EQ(**stale, 1);
  EXPECT_EQ(**numbers.Get("a", [] { return Of(3); }), 2);
}

TEST(LoadedOnce, AnErrorDoesNotDropTheLoadThatFollowedForget) {
  Numbers numbers;
  (void)numbers.Get("a", [&]() -> Result<Number> {
    numbers.Forget("a");
    (void)numbers.Get("a", [] { return Of(2); });
    return Error::Transport("reset");
  });
  EXPECT_EQ(**numbers.Get("a", [] { return Of(3); }), 2);
}

TEST(LoadedOnce, ThreadsWaitForTheirOwnKeyOnly) {
  Numbers numbers;
  std::latch both_load(2);  // neither load ends before the other has begun
  std::atomic<int> loads = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, key = i % 2] {
      const auto number = numbers.Get(key == 0 ? "a" : "b", [&, key] {
        ++loads;
        both_load.arrive_and_wait();
        return Of(key);
      });
      EXPECT_EQ(**number, key);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(loads, 2);
}

}  // namespace
}  // namespace smp
