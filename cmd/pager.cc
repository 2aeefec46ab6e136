#include "cmd/pager.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/process.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "base/user_programs.h"
#include "explain/style.h"

namespace smp::cmd {

namespace {

// The variable that names the pager, and its words.
struct Pager {
  std::string variable;  // "": none does
  std::string command = "less";
};

Pager ChosenPager() {
  for (const char* variable : {"KUBECTL_SMP_PAGER", "PAGER"}) {
    const char* command = std::getenv(variable);
    if (command != nullptr) return {variable, command};
  }
  return {};
}

// Returns the rows of a screen that the text fills, and the one after them.
size_t RowsOf(std::string_view text, size_t columns) {
  size_t rows = 0;
  for (const std::string_view line : Split(text, '\n')) {
    rows += std::max<size_t>(1, (explain::ColumnsShown(line) + columns - 1) / columns);
  }
  return rows;
}

bool IsLongerThanTheScreen(std::string_view text, const Io& io) {
  const std::optional<TerminalSize> size = &io.out == &std::cout ? SizeOfTerminal() : std::nullopt;
  return size && size->rows > 0 && !IsDumbTerminal() && RowsOf(text, size->columns) > size->rows;
}

// F: end if all fits on one screen. R: show colors. X: leave the text on the screen at the end. As git does.
std::vector<std::pair<std::string, std::string>> EnvironmentOfLess() {
  if (std::getenv("LESS") != nullptr) return {};
  return {{"LESS", "FRX"}};
}

// Returns true if nobody saw the text: the shell could not start the pager, or it failed before anybody could have read.
bool ShowedNothing(int exit_code, int64_t taken_ms) {
  constexpr int kCannotExecute = 126, kNotFound = 127;
  constexpr int64_t kAtOnceMs = 1000;
  if (exit_code == kCannotExecute || exit_code == kNotFound) return true;
  return exit_code != 0 && taken_ms < kAtOnceMs;
}

// A variable is a command of the shell, as for git and man: it may have a pipe.
Status RunChosen(const Pager& pager, std::string_view text) {
  const std::vector<std::string> words =
      pager.variable.empty() ? std::vector{pager.command} : ShellCommand(pager.command);
  const int64_t begin_ms = MonotonicMs();
  SMP_ASSIGN(const int exit_code, RunPager(words, text, EnvironmentOfLess()));
  if (!ShowedNothing(exit_code, MonotonicMs() - begin_ms)) return Ok();
  return Error::InvalidArgument(StrCat(pager.command, ": failed with exit status ", exit_code));
}

}  // namespace

Flag NoPagerFlag() {
  return In(FlagGroup::kOutput,
            Switch("no-pager",
                   "do not show long text with a pager (KUBECTL_SMP_PAGER or PAGER in the environment, or less)"));
}

void PrintPaged(std::string_view text, const ParsedFlags& flags, Io& io) {
  const Pager pager = ChosenPager();
  const bool none = Trim(pager.command).empty() || Trim(pager.command) == "cat" || flags.On("no-pager");
  if (!none && IsLongerThanTheScreen(text, io)) {
    io.out << std::flush;
    const Status shown = RunChosen(pager, text);
    if (shown.ok()) return;
    if (!pager.variable.empty()) Warn(io, StrCat(pager.variable, ": ", shown.error().message));
  }
  io.out << text << std::flush;
}

}  // namespace smp::cmd
