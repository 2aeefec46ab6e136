#include "override/yaml_fold.h"

#include <algorithm>

#include "override/yaml_scanner.h"

namespace smp {

namespace {

bool IsBlank(std::string_view text, size_t at) { return at < text.size() && (text[at] == ' ' || text[at] == '\t'); }

// yaml_parser_scan_block_scalar of Go's scannerc.go.
class BlockReader {
 public:
  BlockReader(std::string_view text, size_t at, int indent)
      : text_(text), at_(at), folded_(text[at] == '>'), outer_(indent) {
    out_.next_line = at;
  }

  BlockText Read() && {
    if (Head()) Body();
    out_.next = at_;
    out_.next_line = line_begin_;
    return std::move(out_);
  }

 private:
  bool Fail(std::string_view why, size_t place) {
    out_.problem = why;
    out_.problem_place = place;
    return false;
  }

  // `|2-` and what may stand behind it.
  bool Head() {
    ++at_;
    for (int i = 0; i < 2 && at_ < text_.size(); ++i) {
      const char c = text_[at_];
      if ((c == '+' || c == '-') && chomp_ == 0) {
        chomp_ = c;
      } else if (c >= '1' && c <= '9' && indent_ == 0) {
        indent_ = std::max(outer_, 0) + (c - '0');
      } else {
        break;
      }
      ++at_;
    }
    out_.end = at_;
    while (IsBlank(text_, at_)) ++at_;
    if (at_ < text_.size() && text_[at_] == '#') {
      while (at_ < text_.size() && LineEndSize(text_, at_) == 0) ++at_;
      out_.end = at_;
    }
    line_begin_ = at_;  // never used before the first line end
    if (at_ < text_.size() && !LineEnd()) return Fail("only a digit from 1 to 9, + or - may stand behind | or >", at_);
    return true;
  }

  bool LineEnd() {
    const size_t size = LineEndSize(text_, at_);
    if (size == 0) return false;
    at_ += size;
    line_begin_ = at_;
    ++out_.lines;
    return true;
  }

  int Column() const { return static_cast<int>(at_ - line_begin_); }

  void Body() {
    size_t blank_lines = 0;
    if (!Indentation(blank_lines)) return;
    bool line_ended = false;  // of the last line with text
    bool blank_before = false;
    while (Column() == indent_ && at_ < text_.size()) {
      const bool blank = IsBlank(text_, at_);
      if (line_ended && folded_ && !blank_before && !blank) {
        if (blank_lines == 0) out_.text += ' ';
      } else if (line_ended) {
        out_.text += '\n';
      }
      out_.text.append(blank_lines, '\n');
      blank_before = blank;
      const size_t begin = at_;
      while (at_ < text_.size() && LineEndSize(text_, at_) == 0) ++at_;
      out_.text += text_.substr(begin, at_ - begin);
      out_.end = at_;
      line_ended = LineEnd();
      blank_lines = 0;
      if (!Indentation(blank_lines)) return;
    }
    if (chomp_ != '-' && line_ended) out_.text += '\n';
    if (chomp_ != '+') return;
    out_.text.append(blank_lines, '\n');
    if (blank_lines > 0) out_.end = last_blank_line_end_;
  }

  // Skips blank lines and the indentation of the next one with text, which says how far the block is indented if
  // nothing else did.
  bool Indentation(size_t& blank_lines) {
    int deepest = 0;
    for (;;) {
      while ((indent_ == 0 || Column() < indent_) && at_ < text_.size() && text_[at_] == ' ') ++at_;
      deepest = std::max(deepest, Column());
      if ((indent_ == 0 || Column() < indent_) && at_ < text_.size() && text_[at_] == '\t') {
        return Fail("a tab stands in the indentation; use spaces", at_);
      }
      const size_t line_end = at_;
      if (!LineEnd()) break;
      last_blank_line_end_ = line_end;
      ++blank_lines;
    }
    if (indent_ == 0) indent_ = std::max({deepest, outer_ + 1, 1});
    return true;
  }

  std::string_view text_;
  size_t at_;
  bool folded_;
  int outer_;
  int indent_ = 0;
  char chomp_ = 0;
  size_t line_begin_ = 0;
  size_t last_blank_line_end_ = 0;
  BlockText out_;
};

}  // namespace

BlockText ReadBlockText(std::string_view text, size_t at, int indent) { return BlockReader(text, at, indent).Read(); }

std::string FoldPlain(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    size_t line_ends = 0;
    for (size_t size = 0; IsBlank(text, at) || (size = LineEndSize(text, at)) > 0; at += std::max<size_t>(size, 1)) {
      if (IsBlank(text, at)) size = 0;
      line_ends += size > 0 ? 1 : 0;
    }
    if (line_ends > 0) {
      out.append(line_ends == 1 ? 1 : line_ends - 1, line_ends == 1 ? ' ' : '\n');
    } else if (at > begin) {
      out += text.substr(begin, at - begin);
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace smp
