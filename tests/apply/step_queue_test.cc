#include "apply/step_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace smp::apply {
namespace {

const GroupVersionKind kWidget = {"example.com", "v1", "Widget"};

TEST(StepQueue, GivesReadyObjectsFirstAndTheOthersOnceTheirKindIsReleased) {
  StepQueue queue(SplitStep{.ready = {5, 7}, .waiting = {{kWidget, {1, 3}}}});
  EXPECT_EQ(queue.size(), 4u);
  EXPECT_EQ(queue.Next(), 5u);
  queue.Release(kWidget);
  for (const size_t expected : {7u, 1u, 3u}) EXPECT_EQ(queue.Next(), expected);
}

TEST(StepQueue, NextWaitsForARelease) {
  StepQueue queue(SplitStep{.ready = {}, .waiting = {{kWidget, {1}}}});
  std::jthread releaser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.Release(kWidget);
  });
  EXPECT_EQ(queue.Next(), 1u);
}

}  // namespace
}  // namespace smp::apply
