#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>

#include "base/environment.h"
#include "base/terminal.h"

namespace smp {

namespace {

int DescriptorOf(StandardStream stream) {
  switch (stream) {
    case StandardStream::kInput: return STDIN_FILENO;
    case StandardStream::kOutput: return STDOUT_FILENO;
    case StandardStream::kErrors: return STDERR_FILENO;
  }
  return -1;
}

}  // namespace

bool IsTerminal(StandardStream stream) { return isatty(DescriptorOf(stream)) == 1; }

std::optional<TerminalSize> SizeOfTerminal() {
  winsize size = {};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return TerminalSize{size.ws_col, size.ws_row};
}

bool IsDumbTerminal() { return Environment("TERM", "dumb") == "dumb"; }

bool AwaitInput(const Interrupt& interrupt) {
  std::array<pollfd, 2> polled = {pollfd{STDIN_FILENO, POLLIN, 0},
                                  pollfd{static_cast<int>(interrupt.handle()), POLLIN, 0}};
  while (!interrupt.raised()) {
    if (poll(polled.data(), polled.size(), -1) > 0 && polled[0].revents != 0) return true;
  }
  return false;
}

void ForgetTypedInput() {
  if (IsTerminal(StandardStream::kInput)) (void)tcflush(STDIN_FILENO, TCIFLUSH);
}

bool IsReaderGone() {
  pollfd out = {STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace smp
