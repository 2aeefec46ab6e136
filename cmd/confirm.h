// A question to the person at the terminal.
#ifndef SMP_CMD_CONFIRM_H_
#define SMP_CMD_CONFIRM_H_

#include <string_view>

#include "cmd/io.h"

namespace smp {

enum class Answer { kYes, kNo, kNone };  // kNone: end of input, or Ctrl-C

// Asks on io.err, "TEXT [y/N]: ", and reads a line of standard input. REQUIRES: both are a terminal.
Answer Ask(std::string_view text, Io& io);

}  // namespace smp

#endif  // SMP_CMD_CONFIRM_H_
