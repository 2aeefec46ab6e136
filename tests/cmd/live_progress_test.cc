#include "cmd/live_progress.h"

#include <gtest/gtest.h>

#include <sstream>
#include <thread>

namespace smp::cmd {
namespace {

TEST(ProgressLine, SaysHowFarItIsAndWhatItWaitsFor) {
  apply::Progress progress{.done = 3, .total = 30, .step = 1, .steps = 2};
  EXPECT_EQ(ProgressLine(progress, 1.5), "3/30, 2/s, step 1 of 2");
  progress.doing = "waiting for customresourcedefinition/widgets.example.com";
  EXPECT_EQ(ProgressLine(progress, 1.5),
            "3/30, 2/s, step 1 of 2, waiting for customresourcedefinition/widgets.example.com");
}

TEST(ProgressLine, WithoutStepsObjectsAreRead) {
  EXPECT_EQ(ProgressLine({.done = 312, .total = 1000}, 1), "reading 312/1000 objects");
  EXPECT_EQ(ProgressLine({.done = 0, .total = 1}, 1), "");
}

TEST(ProgressLine, OneObjectIsDoneOrWaitedFor) {
  apply::Progress progress{.done = 0, .total = 1, .step = 1, .steps = 1};
  EXPECT_EQ(ProgressLine(progress, 1), "");
  progress.doing = "waiting for x";
  EXPECT_EQ(ProgressLine(progress, 1), "0/1, 0/s, step 1 of 1, waiting for x");
}

class Live : public testing::Test {
 protected:
  std::string Shown() {
    const std::lock_guard lock(io_.mutex);
    return err_.str();
  }

  std::istringstream in_;
  std::ostringstream out_, err_;
  Io io_{.in = in_, .out = out_, .err = err_};
};

// The line was drawn only when something ended: what was waited for from the first moment on was never shown.
TEST_F(Live, WhatIsWaitedForFromTheFirstMomentIsShown) {
  io_.terminal = true;
  LiveProgress live(io_);
  live.Show({.done = 0, .total = 2, .step = 1, .steps = 2, .doing = "waiting for x"});
  while (Shown().find("0/2, 0/s, step 1 of 2, waiting for x") == std::string::npos) std::this_thread::yield();
  live.Stop();
  EXPECT_TRUE(Shown().ends_with("\r\x1b[K"));
}

TEST_F(Live, APipeGetsNothing) {
  LiveProgress live(io_);
  live.Show({.done = 1, .total = 2, .step = 1, .steps = 1});
  live.Stop();
  EXPECT_EQ(Shown(), "");
}

}  // namespace
}  // namespace smp::cmd
