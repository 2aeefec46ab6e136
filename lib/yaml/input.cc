#include "yaml/input.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kSeparator = "---";

bool IsAllowed(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0x7F || c == 0x85 || (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF);
}

// Returns how many bytes precede the first group of eight with a byte other than printable ASCII and line feeds.
size_t SizeOfPlainBytes(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101'0101'0101'0101, kHighBits = kOnes << 7;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    const uint64_t line_feeds = word ^ (kOnes * '\n');
    const uint64_t is_line_feed = ~((line_feeds & ~kHighBits) + ~kHighBits) & ~line_feeds & kHighBits;
    const uint64_t is_low = ~((word & ~kHighBits) + kOnes * (0x80 - 0x20)) & ~word & kHighBits;
    const uint64_t is_delete = ((word & ~kHighBits) + kOnes) & kHighBits;
    if ((((is_low & ~is_line_feed) | is_delete | word) & kHighBits) != 0) break;
  }
  return at;
}

// The next line that begins with `---`, from `at` on, where a line begins.
size_t FindSeparator(std::string_view text, size_t at) {
  if (text.substr(at).starts_with(kSeparator)) return at;
  const size_t line_end = text.find("\n---", at);
  return line_end == text.npos ? text.size() : line_end + 1;
}

// Returns true for a line like `{{ .Values.x }}` or `{{- if … }}`, which is hardly ever meant as a YAML mapping.
bool IsTemplateLine(std::string_view line) {
  const size_t open = line.find("{{");
  if (open == std::string_view::npos || open + 2 >= line.size()) return false;
  const bool likely = std::string_view(" -.").find(line[open + 2]) != std::string_view::npos;
  return likely && line.find("}}", open) != std::string_view::npos;
}

}  // namespace

int LinesIn(std::string_view text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

std::vector<Result<Chunk>> SplitText(std::string_view text, const std::string& source_name) {
  std::vector<Result<Chunk>> chunks;
  int line = 1;
  for (size_t begin = 0; begin < text.size();) {
    const size_t separator = FindSeparator(text, begin);
    chunks.push_back(Chunk{text.substr(begin, separator - begin), line});
    line += LinesIn(text.substr(begin, separator - begin));
    if (separator == text.size()) break;
    const size_t next = std::min(text.find('\n', separator), text.size() - 1) + 1;
    const std::string_view after = Trim(text.substr(separator, next - separator).substr(kSeparator.size()));
    if (!after.empty() && !after.starts_with('#')) {
      chunks.push_back(ErrorAt(source_name, line, "only a comment may follow --- on the same line"));
    }
    begin = next;
    ++line;
  }
  return chunks;
}

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  for (size_t at = SizeOfPlainBytes(text); at < text.size(); at += SizeOfPlainBytes(text.substr(at))) {
    // Check this group of eight, or the last bytes of the text, one character at a time.
    for (const size_t end = std::min(at + 8, text.size()); at < end;) {
      const Rune rune = FirstRune(text.substr(at));
      if (!rune.valid) return BadCharacter{at, "it is not UTF-8 text"};
      if (!IsAllowed(rune.code)) return BadCharacter{at, "control characters are not allowed"};
      at += rune.size;
    }
  }
  return std::nullopt;
}

Error TemplateError(Source source) {
  Error error = Error::Parse(std::string(kTemplateMessage));
  error.source = std::move(source);
  return error;
}

std::optional<int> LastTemplateLine(std::string_view text) {
  std::optional<int> last;
  for (int line = 0; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (IsTemplateLine(text.substr(0, end))) last = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return last;
}

std::string_view FirstLines(std::string_view text, int count) {
  size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

}  // namespace smp::yaml
