#include <algorithm>

#include "base/interrupt.h"
#include "base/windows_api.h"

namespace smp {

namespace {

// Windows calls it in a thread of its own.
BOOL WINAPI OnControl(DWORD event) {
  CountSignal();
  // The window is closed, or the user logs off: the process ends when this returns, and in a few seconds anyway.
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

}  // namespace

struct Interrupt::Bell {
  Handle event;
};

Interrupt::Interrupt() : bell_(std::make_unique<Bell>()) {
  bell_->event = Handle(CreateEventW(nullptr, TRUE, FALSE, nullptr));
}

Interrupt::~Interrupt() = default;

std::intptr_t Interrupt::handle() const { return reinterpret_cast<std::intptr_t>(bell_->event.get()); }

int Interrupt::Raise() {
  const int count = ++count_;
  (void)SetEvent(bell_->event.get());
  return count;
}

bool Interrupt::SleepMs(int64_t ms) const {
  constexpr int64_t kLongestMs = INFINITE - 1;
  if (!raised()) {
    (void)WaitForSingleObject(bell_->event.get(), static_cast<DWORD>(std::clamp<int64_t>(ms, 0, kLongestMs)));
  }
  return !raised();
}

void WriteErrorInSignal(std::string_view text) {
  DWORD written = 0;
  (void)WriteFile(GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

struct SignalsInterrupt::Before {};

SignalsInterrupt::SignalsInterrupt() {
  (void)ProcessInterrupt();
  (void)SetConsoleCtrlHandler(&OnControl, TRUE);
}

SignalsInterrupt::~SignalsInterrupt() { (void)SetConsoleCtrlHandler(&OnControl, FALSE); }

}  // namespace smp
