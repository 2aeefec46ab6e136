// What a command may touch besides files and the network, and the one way in which it speaks to people.
#ifndef SMP_CMD_IO_H_
#define SMP_CMD_IO_H_

#include <istream>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/escape.h"

namespace smp {

struct Io {
  std::istream& in;
  std::ostream& out;           // results
  std::ostream& err;           // warnings, errors, progress
  bool terminal = false;       // err is one
  int server_warnings = 0;     // for --warnings-as-errors
  std::mutex mutex = {};       // of what follows and of both streams, where several threads speak
  std::string live_line = {};  // what stands on the terminal's last line until something else is to be said
};

// `text` as it may reach a terminal: without secrets, and with control characters made visible.
std::string Printable(std::string_view text, Newlines newlines = Newlines::kKeep);

// These may be called from any thread; they take `text` as it is, whole lines.
void Tell(Io& io, std::string_view text);   // on io.err
void Print(Io& io, std::string_view text);  // on io.out

// "Warning: …" on io.err.
void Warn(Io& io, std::string_view text);

// "error: …" on io.err; returns `exit`.
int Fail(Io& io, const Error& error, int exit);

// One line on a terminal that is written over again and again, and gone when `text` is empty. Elsewhere nothing.
void ShowLiveLine(Io& io, std::string_view text);

}  // namespace smp

#endif  // SMP_CMD_IO_H_
