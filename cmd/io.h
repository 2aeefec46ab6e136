// What a command may touch besides files and the network, and the one way in which it speaks to people.
#ifndef SMP_CMD_IO_H_
#define SMP_CMD_IO_H_

#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/escape.h"

namespace smp {

struct Io {
  std::istream& in;
  std::ostream& out;        // results
  std::ostream& err;        // warnings, errors, progress
  int server_warnings = 0;  // for --warnings-as-errors
};

// `text` as it may reach a terminal: without secrets, and with control characters made visible.
std::string Printable(std::string_view text, Newlines newlines = Newlines::kKeep);

// "Warning: …" on `err`.
void Warn(std::ostream& err, std::string_view text);

// "error: …" on io.err; returns `exit`.
int Fail(Io& io, const Error& error, int exit);

}  // namespace smp

#endif  // SMP_CMD_IO_H_
