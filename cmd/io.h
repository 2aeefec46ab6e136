// The streams of a command, and the functions through which it prints.
#pragma once

#include <cstddef>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/escape.h"

namespace smp::cmd {

struct Io {
  std::istream& in;
  std::ostream& out;           // results
  std::ostream& err;           // warnings, errors, progress
  bool terminal = false;       // err is a terminal
  int server_warnings = 0;     // number of warnings received, for --warnings-as-errors
  std::mutex mutex = {};       // guards live_line, and out and err while several threads print
  std::string live_line = {};  // the progress line at the bottom of the terminal
};

// Returns the columns of the terminal that standard output is; nullopt if it is none, or one that does not know them.
std::optional<size_t> TerminalWidth();

// Print `text`, which should be whole lines, unchanged. May be called from any thread.
void Tell(Io& io, std::string_view text);   // to io.err
void Print(Io& io, std::string_view text);  // to io.out

// Prints "Warning: …" to io.err.
void Warn(Io& io, std::string_view text);

// Prints "error: …" to io.err and returns `exit`.
int Fail(Io& io, const Error& error, int exit);

// Shows `text` as the live line, in place of the previous one; "" removes it. No effect without a terminal.
void ShowLiveLine(Io& io, std::string_view text);

}  // namespace smp::cmd
