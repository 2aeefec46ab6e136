#include "value/yaml_text.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp {

namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The place behind the anchors and tags that begin at `at`.
size_t SkipProperties(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    while (at < text.size() && !IsBlank(text[at])) ++at;
    while (at < text.size() && IsBlank(text[at])) ++at;
  }
  return at;
}

// The place behind the closing quote of the scalar that begins at `at`; npos if it is not closed.
size_t SkipQuoted(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 >= text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

bool IsAllowed(const Rune& rune) {
  if (!rune.valid) return false;
  const char32_t c = rune.code;
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0x7F && (c < 0x80 || c == 0x85 || c >= 0xA0) && c != 0xFFFE && c != 0xFFFF;
}

}  // namespace

bool IsClosed(std::string_view text, size_t at) {
  at = SkipProperties(text, at);
  const bool quoted = at < text.size() && (text[at] == '"' || text[at] == '\'');
  return !quoted || SkipQuoted(text, at) != std::string_view::npos;
}

bool HasColon(std::string_view text, size_t at) {
  const size_t before = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  if (at > 0 && before != std::string_view::npos && text[before] == '?') return true;
  at = SkipProperties(text, at);
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) at = std::min(SkipQuoted(text, at), text.size());
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const bool ends_word = at + 1 == text.size() || IsBlank(text[at + 1]);
    if (text[at] == ':' && ends_word) return true;
    if (text[at] == '#' && at > 0 && IsBlank(text[at - 1])) return false;
  }
  return false;
}

bool IsEmptyFlowItem(std::string_view text, size_t at) {
  return at >= text.size() || text[at] == ',' || text[at] == ']';
}

std::string RepairEscapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    AppendUtf8(out, rune.valid ? rune.code : static_cast<unsigned char>(text.front()));
    text.remove_prefix(rune.size);
  }
  return out;
}

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    if (!IsAllowed(rune)) {
      return BadCharacter{at, rune.valid ? "control characters are not allowed" : "it is no UTF-8 text"};
    }
    at += rune.size;
  }
  return std::nullopt;
}

bool IsIndentedByTab(std::string_view text, int line) {
  const std::vector<std::string_view> lines = Split(text, '\n');
  if (line < 0 || static_cast<size_t>(line) >= lines.size()) return false;
  const std::string_view written = lines[static_cast<size_t>(line)];
  return written.substr(0, written.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

}  // namespace smp
