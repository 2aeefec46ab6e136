#include "cmd/io.h"

#include "base/strings.h"
#include "base/terminal.h"

namespace smp::cmd {

namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

// Removes the live line, writes `text` to `out`, and shows the live line again below it.
void Write(Io& io, std::ostream& out, std::string_view text) {
  if (!io.live_line.empty()) io.err << kEraseLine << std::flush;
  out << text << std::flush;
  if (!io.live_line.empty()) io.err << io.live_line << std::flush;
}

}  // namespace

std::optional<size_t> TerminalWidth() {
  const std::optional<TerminalSize> size = SizeOfTerminal();
  return size ? std::optional(size->columns) : std::nullopt;
}

void Tell(Io& io, std::string_view text) {
  const std::lock_guard lock(io.mutex);
  Write(io, io.err, text);
}

void Print(Io& io, std::string_view text) {
  const std::lock_guard lock(io.mutex);
  Write(io, io.out, text);
}

void Warn(Io& io, std::string_view text) { Tell(io, StrCat("Warning: ", Visible(text), "\n")); }

int Fail(Io& io, const Error& error, int exit) {
  Error shown = error;  // newlines are escaped in the path, but kept in the message
  shown.path = Visible(error.path, Newlines::kEscape);
  shown.source.file = Visible(error.source.file, Newlines::kEscape);
  Tell(io, StrCat("error: ", Visible(ToString(shown)), "\n"));
  return exit;
}

void ShowLiveLine(Io& io, std::string_view text) {
  if (!io.terminal) return;
  const std::lock_guard lock(io.mutex);
  if (!io.live_line.empty() || !text.empty()) io.err << kEraseLine << text << std::flush;
  io.live_line = text;
}

}  // namespace smp::cmd
