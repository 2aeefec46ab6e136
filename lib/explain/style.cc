#include "explain/style.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/columns.h"

namespace smp::explain {

namespace {

constexpr char kFirstMark = '\x10';  // of the first role
constexpr char kEndMark = '\x1f';
constexpr std::string_view kReset = "\x1b[0m";

std::string Marked(Role role, std::string_view text) {
  return StrCat(static_cast<char>(kFirstMark + static_cast<char>(role)), text, kEndMark);
}

bool IsMark(char c) { return c == kEndMark || (c >= kFirstMark && c <= kFirstMark + static_cast<char>(Role::kError)); }

// The parameters of ESC [ … m. Not bright black, which some themes cannot tell from the background.
std::string_view ColorOf(Role role) {
  switch (role) {
    case Role::kAdded: return "\x1b[32m";
    case Role::kRemoved: return "\x1b[31m";
    case Role::kChanged: return "\x1b[33m";
    case Role::kHeading: return "\x1b[1m";
    case Role::kDim: return "\x1b[2m";
    case Role::kWarning: return "\x1b[35m";
    case Role::kError: return "\x1b[1;31m";
  }
  return "";
}

std::string AsInLine(Role role, std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  return begin == line.size() ? std::string(line) : StrCat(line.substr(0, begin), Marked(role, line.substr(begin)));
}

std::string LineOfDiff(std::string_view line) {
  if (line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ "))
    return As(Role::kHeading, line);
  if (line.starts_with("@@ ")) return As(Role::kChanged, line);
  if (line.starts_with('+')) return As(Role::kAdded, line);
  if (line.starts_with('-')) return As(Role::kRemoved, line);
  return std::string(line);
}

// Applies `edit` to each line of the text.
template <typename Edit>
std::string ByLine(std::string_view text, Edit edit) {
  std::vector<std::string> lines;
  for (const std::string_view line : Split(text, '\n')) lines.push_back(edit(line));
  return Join(lines, "\n");
}

}  // namespace

std::string As(Role role, std::string_view text) {
  return ByLine(text, [role](std::string_view line) { return AsInLine(role, line); });
}

std::string WithSign(Role role, std::string_view text) {
  const size_t at = std::min(text.find_first_not_of(' '), text.size());
  return StrCat(text.substr(0, at), As(role, text.substr(at, 1)), text.substr(std::min(at + 1, text.size())));
}

Role RoleOfSign(char sign) {
  switch (sign) {
    case '+': return Role::kAdded;
    case '-': return Role::kRemoved;
    case '!': return Role::kError;
    case '=': return Role::kDim;
    default: return Role::kChanged;
  }
}

std::string Rendered(std::string_view marked, Color color) {
  std::string out;
  out.reserve(marked.size());
  std::vector<Role> open;
  for (const char c : marked) {
    if (!IsMark(c)) {
      out += c;
      continue;
    }
    if (c != kEndMark) open.push_back(static_cast<Role>(c - kFirstMark));
    if (c == kEndMark && !open.empty()) open.pop_back();
    if (color == Color::kNo) continue;
    if (c == kEndMark) out += kReset;
    for (size_t i = c == kEndMark || open.empty() ? 0 : open.size() - 1; i < open.size(); ++i) out += ColorOf(open[i]);
  }
  return out;
}

size_t ColumnsShown(std::string_view rendered) {
  size_t columns = 0;
  for (size_t begin = 0; begin < rendered.size();) {
    const size_t escape = std::min(rendered.find('\x1b', begin), rendered.size());
    columns += Columns(rendered.substr(begin, escape - begin));
    begin = std::min(rendered.find('m', escape), rendered.size() - 1) + 1;
  }
  return columns;
}

std::string WithRolesOfDiff(std::string_view diff) { return ByLine(diff, LineOfDiff); }

}  // namespace smp::explain
