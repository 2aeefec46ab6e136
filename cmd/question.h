// Questions on the terminal: --prune, --confirm, pull.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

enum class Answer { kYes, kNo, kNone };  // kNone: end of input, or Ctrl-C

// Prints the text to io.err and reads a line from standard input; nullopt at the end of input, or after Ctrl-C.
std::optional<std::string> AskLine(std::string_view text, Io& io);

// Prints "TEXT [y/N]: " to io.err and reads a line from standard input. REQUIRES: both are terminals.
Answer Ask(std::string_view text, Io& io);

// Error: refused, if standard input is the manifest or not a terminal. `who` asks; `way_out`: what to do instead.
Status CheckCanAnswer(const ParsedFlags& flags, std::string_view who, std::string_view way_out);

bool ErrorsGoToTerminal();

// Returns the exit status of an answer other than yes.
int ExitOf(Answer answer);

}  // namespace smp::cmd
