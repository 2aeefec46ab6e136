#include "yaml_cpp/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp::yaml_cpp {

namespace {

constexpr std::string_view kBehindAnchor = ",]}";
constexpr std::string_view kNextLine = "\xC2\x85";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool IsAnchorCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

size_t SkipAnchorName(std::string_view text, size_t at) {
  while (at < text.size() && IsAnchorCharacter(text[at])) ++at;
  return at;
}

size_t SkipWord(std::string_view text, size_t at) {
  while (at < text.size() && !IsBlank(text[at])) ++at;
  return at;
}

// The place behind the spaces and the `- ` with which a line begins.
size_t SkipDashes(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || (text[at] == '-' && text.substr(at + 1, 1) == " "))) ++at;
  return at;
}

size_t SkipBlanksAndComments(std::string_view text, size_t at) {
  while (at < text.size() && (IsBlank(text[at]) || text[at] == '#')) {
    if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
    ++at;
  }
  return at;
}

// The place behind the anchors and tags that begin at `at`.
size_t SkipProperties(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = SkipBlanksAndComments(text, SkipWord(text, at));
  }
  return at;
}

// The handle of `!handle!name` must have been declared, and nobody can: directives are refused.
bool HasTagHandle(std::string_view tag) {
  const size_t end = SkipAnchorName(tag, 1);
  return end > 1 && end < tag.size() && tag[end] == '!';
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

// yaml_parser_scan_flow_scalar of Go's scannerc.go.
class QuotedReader {
 public:
  QuotedReader(std::string_view text, size_t at) : text_(text), at_(at + 1), quote_(text[at]) {}

  QuotedText Read() {
    while (at_ < text_.size()) {
      if (text_[at_ - 1] == '\n' && text_.substr(at_, 3) == "...") return {{}, "the document ends within quotes"};
      if (IsBlank(text_[at_])) {
        Blanks(Breaks::kNone);
      } else if (text_[at_] == quote_) {
        if (quote_ == '"' || text_.substr(at_ + 1, 1) != "'") return {std::move(out_), {}};
        out_ += '\'';
        at_ += 2;
      } else if (quote_ == '"' && text_[at_] == '\\') {
        if (!Escape()) return {{}, "invalid escape in double quotes"};
      } else {
        out_ += text_[at_++];
      }
    }
    return {{}, "the quote that opens here is not closed"};
  }

 private:
  enum class Breaks { kNone, kEscaped };

  // Spaces within a line stay; line ends with the spaces around them become one space, or the line ends but the first.
  void Blanks(Breaks before) {
    const size_t begin = at_;
    size_t breaks = 0;
    for (; at_ < text_.size() && IsBlank(text_[at_]); ++at_) breaks += text_[at_] == '\n' ? 1 : 0;
    if (before == Breaks::kEscaped) {
      out_.append(breaks, '\n');
    } else if (breaks == 0) {
      out_ += text_.substr(begin, at_ - begin);
    } else {
      out_.append(breaks == 1 ? 1 : breaks - 1, breaks == 1 ? ' ' : '\n');
    }
  }

  bool Escape() {
    if (at_ + 1 >= text_.size()) return false;
    const char c = text_[at_ + 1];
    at_ += 2;
    if (c == '\n') return Blanks(Breaks::kEscaped), true;
    if (c == 'x' || c == 'u' || c == 'U') return Hexadecimal(c == 'x' ? 2 : c == 'u' ? 4 : 8);
    constexpr std::string_view kNames = "0abt\tnvfre \"'\\N_LP";
    constexpr char32_t kCodes[] = {0, 7, 8, 9, 9, 10, 11, 12, 13, 27, ' ', '"', '\'', '\\', 0x85, 0xA0, 0x2028, 0x2029};
    const size_t named = kNames.find(c);
    if (named == std::string_view::npos) return false;
    AppendUtf8(out_, kCodes[named]);
    return true;
  }

  bool Hexadecimal(size_t digits) {
    const std::string_view text = text_.substr(std::min(at_, text_.size()), digits);
    uint32_t code = 0;
    const char* end = text.data() + text.size();
    if (text.size() < digits || std::from_chars(text.data(), end, code, 16).ptr != end) return false;
    if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return false;
    AppendUtf8(out_, code);
    at_ += digits;
    return true;
  }

  std::string_view text_;
  size_t at_;
  char quote_;
  std::string out_;
};

// Of a block of text that begins on the line at `line`. `indent`: 0 if its first line with text says how far it is
// indented, else the least that it may be.
bool EndsWithBlankLine(std::string_view text, size_t line, size_t indent) {
  bool blank = false;
  while (line < text.size()) {
    const size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view written = text.substr(line, end - line);
    const size_t spaces = std::min(written.find_first_not_of(' '), written.size());
    if (spaces < written.size()) {
      if (spaces == 0 || spaces < indent) return blank;
      if (indent == 0) indent = spaces;
    }
    blank = spaces == written.size();
    line = end + 1;
  }
  return blank;
}

// A block of text with its anchor and tag.
struct BlockScalar {
  size_t head = std::string_view::npos;  // of the | or >; npos: there is none
  std::string_view indicators = {};      // behind it
  size_t line = 0;                       // below it
  size_t content = 0;                    // the first place there that is neither space nor line end
};

BlockScalar FindBlockScalar(std::string_view text, size_t at) {
  const size_t head = SkipProperties(text, at);
  if (head >= text.size() || (text[head] != '|' && text[head] != '>')) return {};
  const size_t head_end = std::min(text.find_first_of(" \t\n", head), text.size());
  const size_t line = std::min(text.find('\n', head), text.size() - 1) + 1;
  return {head, text.substr(head + 1, head_end - head - 1), line,
          std::min(text.find_first_not_of(" \n", line), text.size())};
}

size_t ColumnOf(std::string_view text, size_t at) { return at == 0 ? 0 : at - (text.rfind('\n', at - 1) + 1); }

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

std::string_view ProblemOfProperties(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!' || text[at] == '*')) {
    const size_t end = SkipWord(text, at);
    const std::string_view word = text.substr(at, end - at);
    if (word.front() == '!') {
      if (HasTagHandle(word)) return "the handle of the tag is not defined";
      if (!word.starts_with("!<") && word.find_first_of(",[]{}\"") != std::string_view::npos)
        return "put a space behind the tag";
    } else if (const size_t name = SkipAnchorName(word, 1);
               name == 1 || (name < word.size() && kBehindAnchor.find(word[name]) == std::string_view::npos)) {
      return "the name of an anchor takes letters, digits, _ and - only";
    }
    if (word.front() == '*') return {};
    at = SkipBlanksAndComments(text, end);
  }
  return {};
}

bool HasTag(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == '&') at = SkipBlanksAndComments(text, SkipWord(text, at));
  return at < text.size() && text[at] == '!';
}

bool IsInLineOfTag(std::string_view text, size_t at) {
  const size_t value = SkipProperties(text, at);
  return value < text.size() && text.substr(at, value - at).find('\n') == std::string_view::npos;
}

bool IsBehindTab(std::string_view text, size_t at) {
  bool tab = false;
  for (; at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'); --at) tab |= text[at - 1] == '\t';
  if (!tab || at == 0 || text[at - 1] == '\n') return tab;
  const bool is_indicator = text[at - 1] == '-' || text[at - 1] == '?';
  return is_indicator && (at == 1 || IsBlank(text[at - 2]));
}

bool IsBelowTabLine(std::string_view text, size_t at) {
  const size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  return line > 0 && EndsWithTabLine(text.substr(0, line));
}

bool EndsWithTabLine(std::string_view text) {
  while (!text.empty()) {
    if (text.back() == '\n') text.remove_suffix(1);
    const size_t line = text.rfind('\n') + 1;
    const std::string_view last = text.substr(line);
    const size_t first = last.find_first_not_of(" \t");
    if (first != std::string_view::npos && last[first] != '#') return false;
    if (last.starts_with('\t')) return true;
    text = text.substr(0, line);
  }
  return false;
}

std::optional<QuotedText> ReadQuoted(std::string_view text, size_t at) {
  at = SkipProperties(text, at);
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return std::nullopt;
  return QuotedReader(text, at).Read();
}

bool IsFirstInLine(std::string_view text, size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  return at == 0 || text[at - 1] == '\n';
}

bool IsPlain(std::string_view text, size_t at) {
  at = SkipProperties(text, at);
  return at < text.size() && text[at] != '"' && text[at] != '\'';
}

bool BeginsWithColon(std::string_view text, size_t at) {
  at = SkipProperties(text, at);
  return at < text.size() && text[at] == ':';
}

std::string_view ProblemOfBlockScalar(std::string_view text, size_t at) {
  const BlockScalar block = FindBlockScalar(text, at);
  if (block.head == std::string_view::npos) return {};
  const bool indented = block.indicators.find_first_of("123456789") != std::string_view::npos;
  const bool tab = block.content < text.size() && text[block.content] == '\t';
  if (!indented && tab) return "a tab stands in the indentation; use spaces";
  if (block.head != at && indented) {
    return "an anchor or tag before a block of text with an indentation indicator is not supported; leave one of them "
           "out";
  }
  const bool keeps_end = block.indicators.find('+') != std::string_view::npos || text.back() == ' ';
  if (text[block.head] == '|' || !keeps_end || !EndsWithBlankLine(text, block.line, indented ? 1 : 0)) return {};
  return "blank lines at the end of a folded text (>) are not supported; remove them, or use | or quotes";
}

bool IsShallowBlock(std::string_view text, size_t at, int column) {
  const BlockScalar block = FindBlockScalar(text, at);
  if (block.head == std::string_view::npos || block.head == at || column < 0 || block.content >= text.size())
    return false;
  const size_t indent = ColumnOf(text, block.content);
  return static_cast<int>(indent) > column && indent <= ColumnOf(text, at);
}

size_t ColumnBelow(std::string_view text, size_t at) {
  const size_t line = std::min(text.find('\n', at), text.size() - 1) + 1;
  return ColumnOf(text, SkipBlanksAndComments(text, line));
}

std::optional<size_t> ShallowBlockAbove(std::string_view text, int line) {
  size_t end = 0;
  for (; line > 0 && end < text.size(); --line) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  while (end > 0) {
    const size_t begin = end == 1 ? 0 : text.rfind('\n', end - 2) + 1;
    const size_t node = SkipDashes(text, begin);
    end = begin;
    if (node >= text.size() || (text[node] != '&' && text[node] != '!')) continue;
    // Within the line: a search beyond it would cost the whole text for each line.
    const size_t dash = text.substr(begin, node - begin).rfind('-');
    if (dash != std::string_view::npos && IsShallowBlock(text, node, static_cast<int>(dash))) return node;
  }
  return std::nullopt;
}

std::string WithDeeperBlock(std::string_view text, size_t at) {
  const BlockScalar block = FindBlockScalar(text, at);
  const size_t column = ColumnOf(text, block.content);
  const std::string pad(ColumnOf(text, at) + 1 - column, ' ');
  std::string out(text.substr(0, block.line));
  size_t line = block.line;
  while (line < text.size()) {
    const size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    const std::string_view written = text.substr(line, end - line);
    const size_t spaces = std::min(written.find_first_not_of(' '), written.size());
    const bool blank = spaces == written.size() || written[spaces] == '\n';
    if (!blank && spaces < column) break;
    if (spaces >= column) out += pad;
    out += written;
    line = end;
  }
  return out.append(text.substr(line));
}

bool IsGluedColon(std::string_view text, size_t name, size_t next) {
  const bool quoted = name < text.size() && (text[name] == '"' || text[name] == '\'');
  return !quoted && next > 0 && next <= text.size() && text[next - 1] == ':' && next < text.size() &&
         std::string_view(",]}").find(text[next]) != std::string_view::npos;
}

std::string_view ProblemOfBeginning(std::string_view text) {
  const size_t at = SkipBlanksAndComments(text, 0);
  if (at >= text.size() || (at > 0 && text[at - 1] != '\n')) return {};
  if (text[at] == '%') return "directives (%) are not supported; remove the line";
  return text.substr(at).starts_with("...") ? "the document ends before it begins; remove the line with ..."
                                            : std::string_view();
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

std::string WithPlainLineEnds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool next_line = rest.starts_with(kNextLine);
    if (rest.starts_with("\r\n") || next_line) ++at;
    out += next_line || rest.front() == '\r' ? '\n' : rest.front();
  }
  return out;
}

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    if (!IsAllowed(rune)) {
      return BadCharacter{at, rune.valid ? "control characters are not allowed" : "it is no UTF-8 text"};
    }
    if (rune.code == 0x2028 || rune.code == 0x2029) {
      return BadCharacter{at, "U+2028 and U+2029 end a line in YAML 1.1; write \\u2028 or \\u2029 in double quotes"};
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

}  // namespace smp::yaml_cpp
