// Text for people that may be longer than the screen.
#pragma once

#include <string_view>

#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

Flag NoPagerFlag();

// Prints the text, through a pager if it is longer than the screen: $KUBECTL_SMP_PAGER, else $PAGER, both run by the shell,
// else less; no pager if the variable is empty or "cat", with --no-pager, or if standard output is not a terminal that can do
// more than print. If the pager cannot be run or fails at once, prints without it. What becomes of the pager has no effect on
// the exit status.
void PrintPaged(std::string_view text, const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
