#include "cmd/question.h"

#include <algorithm>
#include <string>

#include "base/interrupt.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "cmd/exit_code.h"

namespace smp::cmd {

std::optional<std::string> AskLine(std::string_view text, Io& io) {
  Tell(io, text);
  std::string line;
  if (AwaitInput(ProcessInterrupt()) && std::getline(io.in, line)) return line;
  Tell(io, "\n");
  return std::nullopt;
}

Answer Ask(std::string_view text, Io& io) {
  // What was typed before the question is no answer to it.
  ForgetTypedInput();
  const std::optional<std::string> line = AskLine(StrCat(text, " [y/N]: "), io);
  if (!line) return Answer::kNone;
  const std::string answer = ToLower(Trim(*line));
  return answer == "y" || answer == "yes" ? Answer::kYes : Answer::kNo;
}

Status CheckCanAnswer(const ParsedFlags& flags, std::string_view who, std::string_view way_out) {
  const auto& files = flags.List("filename");
  const bool is_manifest = std::ranges::find(files, "-") != files.end();
  if (!is_manifest && IsTerminal(StandardStream::kInput)) return Ok();
  return Error::Refused(StrCat(who, " asks for confirmation, but standard input ",
                               is_manifest ? "is the manifest" : "is not a terminal", "; ", way_out));
}

bool ErrorsGoToTerminal() { return IsTerminal(StandardStream::kErrors); }

int ExitOf(Answer answer) {
  return answer == Answer::kNone && ProcessInterrupt().raised() ? kExitInterrupted : kExitFailed;
}

}  // namespace smp::cmd
