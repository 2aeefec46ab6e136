#include <array>

#include "base/environment.h"
#include "base/terminal.h"
#include "base/windows_api.h"

namespace smp {

namespace {

HANDLE HandleOf(StandardStream stream) {
  switch (stream) {
    case StandardStream::kInput: return GetStdHandle(STD_INPUT_HANDLE);
    case StandardStream::kOutput: return GetStdHandle(STD_OUTPUT_HANDLE);
    case StandardStream::kErrors: return GetStdHandle(STD_ERROR_HANDLE);
  }
  return nullptr;
}

}  // namespace

bool IsTerminal(StandardStream stream) {
  DWORD mode = 0;
  return GetConsoleMode(HandleOf(stream), &mode) != 0;
}

std::optional<TerminalSize> SizeOfTerminal() {
  CONSOLE_SCREEN_BUFFER_INFO info = {};
  if (GetConsoleScreenBufferInfo(HandleOf(StandardStream::kOutput), &info) == 0) return std::nullopt;
  const SMALL_RECT& seen = info.srWindow;
  return TerminalSize{static_cast<size_t>(seen.Right - seen.Left + 1), static_cast<size_t>(seen.Bottom - seen.Top + 1)};
}

bool IsDumbTerminal() {
  if (Environment("TERM") == "dumb") return true;
  DWORD mode = 0;  // PrepareProgram() has asked for escape sequences
  const bool is_console = GetConsoleMode(HandleOf(StandardStream::kOutput), &mode) != 0;
  return is_console && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) == 0;
}

bool AwaitInput(const Interrupt& interrupt) {
  const std::array<HANDLE, 2> awaited = {reinterpret_cast<HANDLE>(interrupt.handle()),
                                         HandleOf(StandardStream::kInput)};
  (void)WaitForMultipleObjects(static_cast<DWORD>(awaited.size()), awaited.data(), FALSE, INFINITE);
  return !interrupt.raised();
}

void ForgetTypedInput() { (void)FlushConsoleInputBuffer(HandleOf(StandardStream::kInput)); }

// It is asked when writing has failed: to a pipe that has no other reason.
bool IsReaderGone() { return GetFileType(HandleOf(StandardStream::kOutput)) == FILE_TYPE_PIPE; }

}  // namespace smp
