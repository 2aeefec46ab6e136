#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <limits>

#include "base/fd.h"
#include "base/interrupt.h"

namespace smp {

namespace {

extern "C" void OnSignal(int) {
  const int number = errno;
  CountSignal();
  errno = number;
}

constexpr std::array<int, 3> kCounted = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

struct Interrupt::Bell {
  Fd read;
  Fd write;
};

Interrupt::Interrupt() : bell_(std::make_unique<Bell>()) {
  int ends[2];
  if (pipe(ends) != 0) return;  // no descriptors left: raised() works, but sleeps and polls are not woken
  bell_->read = Fd(ends[0]);
  bell_->write = Fd(ends[1]);
  for (const int fd : ends) (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK);
}

Interrupt::~Interrupt() = default;

std::intptr_t Interrupt::handle() const { return bell_->read.get(); }

int Interrupt::Raise() {
  const int count = ++count_;
  // One byte is enough, because nobody reads it.
  if (count == 1 && bell_->write.open()) (void)!write(bell_->write.get(), "", 1);
  return count;
}

bool Interrupt::SleepMs(int64_t ms) const {
  using std::chrono::steady_clock;
  const steady_clock::time_point deadline = steady_clock::now() + std::chrono::milliseconds(ms);
  while (!raised()) {
    const int64_t left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return true;
    pollfd polled = {bell_->read.get(), POLLIN, 0};  // poll skips a negative descriptor
    (void)poll(&polled, 1, static_cast<int>(std::min<int64_t>(left, std::numeric_limits<int>::max())));
  }
  return false;
}

void WriteErrorInSignal(std::string_view text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

struct SignalsInterrupt::Before {
  std::array<struct sigaction, kCounted.size()> actions = {};
};

SignalsInterrupt::SignalsInterrupt() : before_(std::make_unique<Before>()) {
  (void)ProcessInterrupt();  // constructed here, because a signal handler must not
  struct sigaction action = {};
  action.sa_handler = &OnSignal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kCounted.size(); ++i) {
    struct sigaction& before = before_->actions[i];
    (void)sigaction(kCounted[i], nullptr, &before);
    const bool ignored = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored) (void)sigaction(kCounted[i], &action, nullptr);
  }
}

SignalsInterrupt::~SignalsInterrupt() {
  for (size_t i = 0; i < kCounted.size(); ++i) (void)sigaction(kCounted[i], &before_->actions[i], nullptr);
}

}  // namespace smp
