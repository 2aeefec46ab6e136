#include "base/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>

#include "base/clock.h"

namespace smp {

namespace {

constexpr int kExitInterrupted = 130;  // the exit code of shells after SIGINT

std::atomic<int> holds = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler changes it");

std::atomic<int64_t> counted_ms = 0;  // time of the last signal that counted; 0: none yet
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler changes it");

bool IsSameSignal() {
  const int64_t now = MonotonicMs();
  int64_t before = counted_ms.load();
  if (before != 0 && now - before < kSameSignalMs) return true;
  return !counted_ms.compare_exchange_strong(before, now);  // another thread has just counted the same signal
}

extern "C" void OnSignal(int) {
  if (IsSameSignal()) return;
  const int number = errno;
  const int count = ProcessInterrupt().Raise();
  if (count > 2 || (count == 2 && holds.load() == 0)) _exit(kExitInterrupted);
  errno = number;
}

}  // namespace

Interrupt::Interrupt() {
  int ends[2];
  if (pipe(ends) != 0) return;  // no descriptors left: raised() works, but sleeps and polls are not woken
  read_ = Fd(ends[0]);
  write_ = Fd(ends[1]);
  for (const int fd : ends) (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
  (void)fcntl(write_.get(), F_SETFL, fcntl(write_.get(), F_GETFL) | O_NONBLOCK);
}

int Interrupt::Raise() {
  const int count = ++count_;
  // One byte is enough, because nobody reads it.
  if (count == 1 && write_.open()) (void)!write(write_.get(), "", 1);
  return count;
}

bool Interrupt::SleepMs(int64_t ms) const {
  using std::chrono::steady_clock;
  const steady_clock::time_point deadline = steady_clock::now() + std::chrono::milliseconds(ms);
  while (!raised()) {
    const int64_t left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return true;
    pollfd polled = {read_.get(), POLLIN, 0};  // poll skips a negative descriptor
    (void)poll(&polled, 1, static_cast<int>(std::min<int64_t>(left, std::numeric_limits<int>::max())));
  }
  return false;
}

Interrupt& ProcessInterrupt() {
  static Interrupt interrupt;
  return interrupt;
}

SignalsInterrupt::SignalsInterrupt() {
  (void)ProcessInterrupt();  // constructed here, because a signal handler must not
  struct sigaction action = {};
  action.sa_handler = &OnSignal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    (void)sigaction(kSignals[i], nullptr, &before_[i]);
    const bool ignored = (before_[i].sa_flags & SA_SIGINFO) == 0 && before_[i].sa_handler == SIG_IGN;
    if (!ignored) (void)sigaction(kSignals[i], &action, nullptr);
  }
}

SignalsInterrupt::~SignalsInterrupt() {
  for (size_t i = 0; i < kSignals.size(); ++i) (void)sigaction(kSignals[i], &before_[i], nullptr);
}

HoldExit::HoldExit() { ++holds; }

HoldExit::~HoldExit() { --holds; }

}  // namespace smp
