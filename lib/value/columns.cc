#include "value/columns.h"

#include <algorithm>

#include "base/strings.h"
#include "value/column_width.h"
#include "value/utf8.h"

namespace smp {

namespace {

// Returns the size in bytes of the first characters that take at most `most` columns.
size_t BytesOf(std::string_view text, size_t most) {
  size_t bytes = 0;
  while (bytes < text.size()) {
    const Rune rune = FirstRune(text.substr(bytes));
    const size_t columns = ColumnWidth(rune.code);
    if (columns > most) break;
    most -= columns;
    bytes += rune.size;
  }
  return bytes;
}

// Returns the size in bytes of the first characters that take at least `least` columns.
size_t BytesOfAtLeast(std::string_view text, size_t least) {
  const size_t bytes = BytesOf(text, least);
  const bool wide = bytes < text.size() && Columns(text.substr(0, bytes)) < least;
  return bytes + (wide ? FirstRune(text.substr(bytes)).size : 0);
}

}  // namespace

size_t Columns(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    columns += ColumnWidth(rune.code);
    text.remove_prefix(rune.size);
  }
  return columns;
}

std::string_view FirstColumns(std::string_view text, size_t most) { return text.substr(0, BytesOf(text, most)); }

std::string_view LastColumns(std::string_view text, size_t most) {
  const size_t columns = Columns(text);
  return columns <= most ? text : text.substr(BytesOfAtLeast(text, columns - most));
}

std::string CutMiddle(std::string_view text, size_t most) {
  if (Columns(text) <= most || most < 3) return std::string(text);
  const size_t last = (most - 1) / 2;
  return StrCat(FirstColumns(text, most - 1 - last), "…", LastColumns(text, last));
}

std::string CutAround(std::string_view text, size_t from, size_t to, size_t most) {
  const size_t columns = Columns(text);
  if (columns <= most || most < 3) return std::string(text);
  const size_t first = Columns(text.substr(0, from)), last = Columns(text.substr(0, to));
  const size_t room = most - 2;  // … at both ends
  const size_t before = last - first >= room ? 4 : (room - (last - first)) / 2;
  const size_t begin = std::min(first > before ? first - before : 0, columns - room);
  const std::string_view shown = FirstColumns(text.substr(BytesOf(text, begin)), room);
  return StrCat(begin > 0 ? "…" : "", shown, begin + room < columns ? "…" : "");
}

namespace {

// Alone in a line, nobody would see what it belongs to.
bool IsSignOfLine(std::string_view line) {
  return line.size() == 1 && std::string_view("+-~=>!").find(line[0]) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> Wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view word : Split(text, ' ')) {
    const bool fits = !lines.empty() && Columns(lines.back()) + 1 + Columns(word) <= width;
    const bool stays_with_sign = lines.size() == 1 && IsSignOfLine(lines.back()) && Columns(word) > width;
    if (fits || stays_with_sign) {
      lines.back() += StrCat(" ", word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

}  // namespace smp
