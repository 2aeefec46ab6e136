// The standard streams, and the terminal that they may be.
#pragma once

#include <cstddef>
#include <optional>

#include "base/interrupt.h"

namespace smp {

enum class StandardStream { kInput, kOutput, kErrors };

bool IsTerminal(StandardStream stream);

struct TerminalSize {
  size_t columns = 0, rows = 0;
};
// Returns the size of the terminal that standard output is; nullopt if it is none, or one that does not know it.
std::optional<TerminalSize> SizeOfTerminal();

// Returns true if the terminal can at most move to the next line: it understands no colors.
bool IsDumbTerminal();

// Waits until standard input can be read. Returns false if interrupted before.
bool AwaitInput(const Interrupt& interrupt);

// Forgets what was typed and not read yet, if standard input is a terminal.
void ForgetTypedInput();

// Returns true if standard output is a pipe or socket whose reader has closed it. To be asked after a write has failed.
bool IsReaderGone();

}  // namespace smp
