#include "edit/text_lines.h"

#include <algorithm>

#include "base/strings.h"
#include "value/utf8.h"
#include "yaml/characters.h"

namespace smp::edit {

namespace {

// Returns true for one word, or one value in quotes or brackets: prose has more words.
bool LooksLikeValue(std::string_view text) {
  text = Trim(text);
  return text.empty() || std::string_view("\"'[{|>&*!").find(text.front()) != std::string_view::npos ||
         text.find(' ') == std::string_view::npos;
}

// Returns true for the text of a comment that is a member or an item: `key: value`, `- value`.
bool LooksLikeEntry(std::string_view text) {
  if (text.starts_with("- ")) {
    const std::string_view item = Trim(text.substr(2));
    return LooksLikeValue(item) || LooksLikeEntry(item);
  }
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view key = text.substr(0, colon), value = text.substr(colon + 1);
  const bool is_key = key.find_first_of(" \t") == std::string_view::npos;
  return is_key && (value.empty() || value.front() == ' ') && LooksLikeValue(value);
}

}  // namespace

TextLines::TextLines(const TextTree& tree)
    : text_(tree.text, 0, tree.end),
      read_size_(text_.size()),
      first_(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {
  const bool is_all = tree.end == tree.text.size();
  if (is_all && text_.size() > first_ && !text_.ends_with('\n') && !text_.ends_with('\r')) text_ += tree.line_end;
}

size_t TextLines::Begin(size_t at) const {
  while (at > first_ && !EndsAt(at)) --at;
  return at;
}

size_t TextLines::End(size_t at) const {
  while (at < text_.size() && yaml::BreakSize(text_.data() + at) == 0) ++at;
  return at;
}

size_t TextLines::Next(size_t at) const {
  const size_t end = End(at);
  return end + yaml::BreakSize(text_.data() + end);
}

bool TextLines::IsFirst(size_t at) const {
  const size_t line = Begin(at);
  return text().find_first_not_of(' ', line) >= at;
}

bool TextLines::IsBlank(size_t line) const {
  const size_t sign = FirstVisible(line);
  return sign == text_.size() || yaml::BreakSize(text_.data() + sign) > 0;
}

bool TextLines::AreBlank(size_t begin, size_t end) const {
  return Between(begin, end).find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool TextLines::HasSpacesIn(size_t line) const {
  for (; line < text_.size() && IsBlank(line); line = Next(line)) {
    if (End(line) > line) return true;
  }
  return Between(line, FirstVisible(line)).find('\t') != std::string_view::npos;
}

bool TextLines::HasIndentationIn(size_t line) const {
  for (; line < text_.size(); line = Next(line)) {
    if (text_[line] == ' ' || text_[line] == '\t') return true;
  }
  return false;
}

size_t TextLines::LeadOf(size_t entry, size_t bound) const {
  const size_t column = Column(entry), line = Begin(entry);
  size_t begin = line;
  while (begin > bound) {
    const size_t above = Previous(begin);
    if (above < bound || CommentColumn(above) != column) break;
    begin = above;
  }
  return AfterCommentedOut(begin, line);
}

// Returns where the comment of the entry at `entry` begins: after the last one of the comments that is commented out, with
// what is indented deeper below it.
size_t TextLines::AfterCommentedOut(size_t begin, size_t entry) const {
  std::optional<size_t> column;  // of what is commented out
  for (size_t line = begin; line < entry; line = Next(line)) {
    const std::string_view text = Between(line, End(line));
    const size_t word = std::min(text.find_first_not_of(" \t#"), text.size());
    if (LooksLikeEntry(text.substr(word))) {
      column = std::min(column.value_or(word), word);
    } else if (!column || word <= *column) {
      column.reset();
      continue;
    }
    begin = Next(line);
  }
  return begin;
}

size_t TextLines::TailOf(size_t end, size_t column) const {
  size_t tail = Next(end);
  for (size_t line = tail; line < text_.size(); line = Next(line)) {
    if (IsBlank(line)) continue;
    const std::optional<size_t> comment = CommentColumn(line);
    if (!comment || *comment <= column) break;
    tail = Next(line);
  }
  return tail;
}

size_t TextLines::FirstVisible(size_t line) const {
  while (line < text_.size() && (text_[line] == ' ' || text_[line] == '\t')) ++line;
  return line;
}

// Returns where the line before `line` begins. REQUIRES: there is one.
size_t TextLines::Previous(size_t line) const {
  return Begin(line - 1 - (line >= 2 && Between(line - 2, line) == "\r\n" ? 1 : 0));
}

// Returns the column of the comment if the line has nothing else; else nullopt.
std::optional<size_t> TextLines::CommentColumn(size_t line) const {
  const size_t sign = FirstVisible(line);
  if (sign == text_.size() || text_[sign] != '#') return std::nullopt;
  return sign - line;
}

// Returns true if a line ends right before `at`.
bool TextLines::EndsAt(size_t at) const {
  const char before = text_[at - 1];
  if (before == '\n') return true;
  if (before == '\r') return at == text_.size() || text_[at] != '\n';
  return before == '\x85' && at >= 2 && text_[at - 2] == '\xC2';
}

}  // namespace smp::edit
