#include "cmd/help.h"

#include <algorithm>
#include <iostream>

#include "base/strings.h"
#include "value/columns.h"

namespace smp::cmd {

namespace {

constexpr size_t kWidth = 80, kWidest = 120, kNarrowest = 40;
constexpr size_t kIndent = 2, kGap = 2;
constexpr size_t kNameColumns = 28;  // of longer names, what they are begins on the next line

// Returns the parts of a name that fit in `width` columns: it is broken after a "|".
std::vector<std::string> BrokenName(const std::string& name, size_t width) {
  std::vector<std::string> lines = {""};
  for (const std::string_view alternative : Split(name, '|')) {
    if (!lines.back().empty()) lines.back() += '|';
    if (Columns(lines.back()) + Columns(alternative) + 1 > width) lines.emplace_back();
    lines.back() += alternative;
  }
  return lines;
}

std::string Row(const std::string& name, const std::string& text, size_t column, size_t width) {
  const std::vector<std::string> names = BrokenName(name, width - 3 * kIndent);
  const bool beside = names.size() == 1 && kIndent + Columns(name) + kGap <= column;
  const std::string head = StrCat(Spaces(kIndent), Join(names, StrCat("\n", Spaces(3 * kIndent))));
  const std::string start = beside ? Spaces(column - Columns(head)) : StrCat("\n", Spaces(column));
  return StrCat(head, start, Join(Wrapped(text, width - column), StrCat("\n", Spaces(column))), "\n");
}

std::string UsageOf(const Command& command, const std::string& program, size_t width) {
  const std::vector<std::string> lines = Wrapped(StrCat(program, " ", command.usage), width - 3 * kIndent);
  return StrCat(Spaces(kIndent), Join(lines, StrCat("\n", Spaces(3 * kIndent))), "\n");
}

}  // namespace

size_t HelpWidth(const Io& io) {
  const bool is_standard = &io.out == &std::cout;
  return std::clamp(is_standard ? TerminalWidth().value_or(kWidth) : kWidth, kNarrowest, kWidest);
}

std::string Reflowed(std::string_view text, size_t width) {
  std::string out;
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) out += Join(Wrapped(paragraph, width), "\n") + "\n";
    paragraph.clear();
  };
  for (const std::string_view line : Split(text, '\n')) {
    if (line.empty()) {
      flush();
      out += '\n';
    } else {
      paragraph += StrCat(paragraph.empty() ? "" : " ", line);
    }
  }
  flush();
  return out;
}

std::string InColumns(const std::vector<std::pair<std::string, std::string>>& rows, size_t width) {
  size_t longest = 0;
  for (const auto& [name, text] : rows) longest = std::max(longest, Columns(name));
  const size_t column = std::min({kIndent + longest + kGap, kNameColumns, width / 3});
  std::string out;
  for (const auto& [name, text] : rows) out += Row(name, text, column, width);
  return out;
}

std::string DescribeFlags(const std::vector<Flag>& flags, size_t width) {
  std::string out;
  for (const auto& [group, members] : ByGroup(flags)) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Flag& flag : members) rows.emplace_back(FlagSynopsis(flag), FlagHelp(flag));
    out += StrCat(out.empty() ? "" : "\n", HeadingOf(group), ":\n", InColumns(rows, width));
  }
  return out;
}

std::string HelpOf(const Command& command, const std::string& program, size_t width) {
  const std::string flags = command.flags.empty() ? "" : StrCat("\n", DescribeFlags(command.flags, width));
  return StrCat(Reflowed(command.description, width), "\nExamples:\n", Examples(command, program), "\nUsage:\n",
                UsageOf(command, program, width), flags, "\nUse \"", program, " options\" for the global flags.\n");
}

}  // namespace smp::cmd
