// Asks the user at the terminal.
#ifndef SMP_CMD_CONFIRM_H_
#define SMP_CMD_CONFIRM_H_

#include <string_view>

#include "cmd/io.h"

namespace smp {

enum class Answer { kYes, kNo, kNone };  // kNone: end of input, or Ctrl-C

// Prints "TEXT [y/N]: " to io.err and reads a line from standard input. REQUIRES: both are terminals.
Answer Ask(std::string_view text, Io& io);

}  // namespace smp

#endif  // SMP_CMD_CONFIRM_H_
