#include "cmd/pager.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process.h"
#include "base/shell_words.h"
#include "base/strings.h"
#include "cmd/color.h"
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

Status RunChosen(const Pager& pager, std::string_view text) {
  SMP_ASSIGN(const std::vector<std::string> words, ShellWords(pager.command));
  const Result<int> done = RunPager(words, text, EnvironmentOfLess());
  return done.ok() ? Ok() : Status(done.error());
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
