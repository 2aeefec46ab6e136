#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace smp {
namespace {

bool IsAwake(const Interrupt& interrupt) {
  pollfd polled = {static_cast<int>(interrupt.handle()), POLLIN, 0};
  return poll(&polled, 1, 0) == 1;
}

TEST(Interrupt, IsSeenAndPolledForEver) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.raised());
  EXPECT_FALSE(IsAwake(interrupt));
  EXPECT_EQ(interrupt.Raise(), 1);
  EXPECT_TRUE(interrupt.raised());
  EXPECT_TRUE(IsAwake(interrupt));
  EXPECT_TRUE(IsAwake(interrupt));
  EXPECT_EQ(interrupt.Raise(), 2);
}

TEST(Interrupt, SleepEndsByItself) {
  const Interrupt interrupt;
  EXPECT_TRUE(interrupt.SleepMs(1));
  EXPECT_TRUE(interrupt.SleepMs(0));
  EXPECT_TRUE(interrupt.SleepMs(-1));
}

TEST(Interrupt, WakesASleeperOfAnotherThread) {
  Interrupt interrupt;
  bool slept_well = true;
  std::thread sleeper([&] { slept_well = interrupt.SleepMs(600'000); });  // the test would hang
  (void)interrupt.Raise();
  sleeper.join();
  EXPECT_FALSE(slept_well);
}

// Each in a process of its own, as the flag of the process cannot be lowered.
using InterruptDeathTest = ::testing::Test;

TEST(InterruptDeathTest, ASignalRaisesTheFlagOfTheProcess) {
  const auto run = [] {
    const SignalsInterrupt signals;
    (void)std::raise(SIGTERM);
    std::_Exit(ProcessInterrupt().raised() ? 7 : 8);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(7), "");
}

// Far enough apart to be several.
void RaiseTimes(int signals) {
  for (int i = 0; i < signals; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(kSameSignalMs + 1));
    (void)std::raise(SIGINT);
  }
}

TEST(InterruptDeathTest, TheSecondSignalEndsTheProgram) {
  const auto run = [] {
    const SignalsInterrupt signals;
    RaiseTimes(2);
    std::_Exit(8);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(130), "");
}

// timeout(1) sends its signal to the program and to the group of processes that it is in; then nothing was said of what
// was done.
TEST(InterruptDeathTest, OneSignalThatComesTwiceIsOne) {
  const auto run = [] {
    const SignalsInterrupt signals;
    (void)std::raise(SIGTERM);
    (void)std::raise(SIGTERM);
    std::_Exit(ProcessInterrupt().raised() ? 7 : 8);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(7), "");
}

TEST(InterruptDeathTest, WhileSomethingIsHalfDoneTheThirdDoes) {
  const auto run = [](int signals_sent) {
    const SignalsInterrupt signals;
    const HoldExit hold;
    RaiseTimes(signals_sent);
    std::_Exit(7);
  };
  EXPECT_EXIT(run(2), ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(run(3), ::testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, WhatWasIgnoredStaysIgnored) {
  const auto run = [] {
    (void)std::signal(SIGHUP, SIG_IGN);
    const SignalsInterrupt signals;
    (void)std::raise(SIGHUP);
    std::_Exit(ProcessInterrupt().raised() ? 8 : 7);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(7), "");
}

TEST(InterruptDeathTest, WhenItGoesSignalsDoWhatTheyDidBefore) {
  const auto run = [] {
    { const SignalsInterrupt signals; }
    (void)std::raise(SIGTERM);
  };
  EXPECT_EXIT(run(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace smp
