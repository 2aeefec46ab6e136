#include "cmd/confirm.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/interrupt.h"
#include "base/strings.h"

namespace smp {

namespace {

// Returns false if interrupted first.
bool AwaitLine() {
  std::array<pollfd, 2> polled = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{ProcessInterrupt().fd(), POLLIN, 0}};
  while (!ProcessInterrupt().raised()) {
    if (poll(polled.data(), polled.size(), -1) > 0 && polled[0].revents != 0) return true;
  }
  return false;
}

}  // namespace

Answer Ask(std::string_view text, Io& io) {
  Tell(io, StrCat(text, " [y/N]: "));
  std::string line;
  if (!AwaitLine() || !std::getline(io.in, line)) {
    Tell(io, "\n");
    return Answer::kNone;
  }
  const std::string answer = ToLower(Trim(line));
  return answer == "y" || answer == "yes" ? Answer::kYes : Answer::kNo;
}

}  // namespace smp
