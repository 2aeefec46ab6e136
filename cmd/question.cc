#include "cmd/question.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/interrupt.h"
#include "base/strings.h"
#include "cmd/exit_code.h"

namespace smp::cmd {

namespace {

// Waits until standard input can be read. Returns false if interrupted (Ctrl-C) before.
bool AwaitLine() {
  std::array<pollfd, 2> polled = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{ProcessInterrupt().fd(), POLLIN, 0}};
  while (!ProcessInterrupt().raised()) {
    if (poll(polled.data(), polled.size(), -1) > 0 && polled[0].revents != 0) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> AskLine(std::string_view text, Io& io) {
  Tell(io, text);
  std::string line;
  if (AwaitLine() && std::getline(io.in, line)) return line;
  Tell(io, "\n");
  return std::nullopt;
}

Answer Ask(std::string_view text, Io& io) {
  // What was typed before the question is no answer to it.
  if (isatty(STDIN_FILENO) == 1) (void)tcflush(STDIN_FILENO, TCIFLUSH);
  const std::optional<std::string> line = AskLine(StrCat(text, " [y/N]: "), io);
  if (!line) return Answer::kNone;
  const std::string answer = ToLower(Trim(*line));
  return answer == "y" || answer == "yes" ? Answer::kYes : Answer::kNo;
}

Status CheckCanAnswer(const ParsedFlags& flags, std::string_view who, std::string_view way_out) {
  const auto& files = flags.List("filename");
  const bool is_manifest = std::ranges::find(files, "-") != files.end();
  if (!is_manifest && isatty(STDIN_FILENO) == 1) return Ok();
  return Error::Refused(StrCat(who, " asks for confirmation, but standard input ",
                               is_manifest ? "is the manifest" : "is not a terminal", "; ", way_out));
}

bool ErrorsGoToTerminal() { return isatty(STDERR_FILENO) == 1; }

int ExitOf(Answer answer) {
  return answer == Answer::kNone && ProcessInterrupt().raised() ? kExitInterrupted : kExitFailed;
}

}  // namespace smp::cmd
