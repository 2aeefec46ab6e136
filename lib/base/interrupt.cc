#include "base/interrupt.h"

#include <cstdlib>

#include "base/clock.h"

namespace smp {

namespace {

constexpr int kExitInterrupted = 130;  // the exit code of shells after SIGINT

std::atomic<int> holds = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler changes it");

std::atomic<const char*> notice = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");

std::atomic<int64_t> counted_ms = 0;  // time of the last signal that counted; 0: none yet
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler changes it");

bool IsSameSignal() {
  const int64_t now = MonotonicMs();
  int64_t before = counted_ms.load();
  if (before != 0 && now - before < kSameSignalMs) return true;
  return !counted_ms.compare_exchange_strong(before, now);  // another thread has just counted the same signal
}

}  // namespace

void CountSignal() {
  if (IsSameSignal()) return;
  const int count = ProcessInterrupt().Raise();
  if (count > 2 || (count == 2 && holds.load() == 0)) std::_Exit(kExitInterrupted);
  if (const char* line = notice.load(); count == 1 && line != nullptr) WriteErrorInSignal(line);
}

Interrupt& ProcessInterrupt() {
  static Interrupt interrupt;
  return interrupt;
}

InterruptNotice::InterruptNotice(const char* line) { notice = line; }

InterruptNotice::~InterruptNotice() { notice = nullptr; }

HoldExit::HoldExit() { ++holds; }

HoldExit::~HoldExit() { --holds; }

}  // namespace smp
