// --color, and the variables of the environment that ask for colors or forbid them.
#pragma once

#include "cmd/flags.h"
#include "explain/style.h"

namespace smp::cmd {

Flag ColorFlag();

// What `--color` says; with auto: no colors if $NO_COLOR is not empty or $TERM is dumb; else colors if $CLICOLOR_FORCE
// says so (not empty, not 0); else if standard output is a terminal and $CLICOLOR is not 0.
explain::Color ToColor(const ParsedFlags& flags);

// The same with auto, for a command without the flag.
explain::Color ColorByDefault();

}  // namespace smp::cmd
