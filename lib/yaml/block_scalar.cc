#include <algorithm>

#include "yaml/scalars.h"

namespace smp::yaml {

namespace {

class BlockScanner {
 public:
  BlockScanner(Cursor& cursor, const ScalarContext& context)
      : cursor_(cursor), context_(context), text_(context.buffer), folded_(cursor.Next() == '>') {
    text_.clear();
    out_.one_line = false;
  }

  ScannedScalar Scan() {
    cursor_.Skip(1);
    if (!ScanHeader() || !ScanBreaks()) return out_;
    while (cursor_.Column() == indent_ && !cursor_.AtEnd()) {
      ScanLine();
      if (!ScanBreaks()) return out_;
    }
    if (chomping_ != '-') text_ += last_break_;
    if (chomping_ == '+' && !breaks_.empty()) {
      text_ += breaks_;
      out_.end = end_of_breaks_;
    }
    out_.text = context_.arena.Copy(text_);
    return out_;
  }

 private:
  bool Fail(std::string_view why) {
    out_.problem = why;
    out_.problem_mark = cursor_.mark();
    return false;
  }

  // Scans the indentation and chomping indicators, in any order, and an optional comment.
  bool ScanHeader() {
    for (int i = 0; i < 2; ++i) {
      const char c = cursor_.Next();
      if ((c == '+' || c == '-') && chomping_ == '\0') {
        chomping_ = c;
      } else if (c >= '0' && c <= '9' && indent_ == 0) {
        if (c == '0') return Fail("only a digit from 1 to 9, + or - may follow | or >");
        indent_ = static_cast<uint32_t>(c - '0' + std::max(context_.indent, 0));
      } else {
        break;
      }
      cursor_.Skip(1);
    }
    out_.end = cursor_.mark();
    cursor_.SkipBlanks();
    if (cursor_.Next() == '#') {
      cursor_.SkipRestOfLine();
      out_.end = cursor_.mark();
    }
    if (!cursor_.AtEnd() && BreakSize(cursor_.at()) == 0) return Fail("only a digit, + or - may follow | or >");
    cursor_.SkipBreak();
    return true;
  }

  // Skips blank lines and the indentation of the next line, which sets the block's indentation if it is not known yet.
  bool ScanBreaks() {
    breaks_.clear();
    uint32_t deepest = 0;
    for (;;) {
      while (cursor_.Next() == ' ' && (indent_ == 0 || cursor_.Column() < indent_)) cursor_.Skip(1);
      deepest = std::max(deepest, cursor_.Column());
      if (cursor_.Next() == '\t' && (indent_ == 0 || cursor_.Column() < indent_))
        return Fail("tab in the indentation; use spaces");
      const char* line_end = cursor_.at();
      const Mark mark = cursor_.mark();
      if (!cursor_.SkipBreak()) break;
      breaks_ += BreakText(line_end);
      end_of_breaks_ = mark;
    }
    if (indent_ == 0) indent_ = std::max({deepest, static_cast<uint32_t>(context_.indent + 1), 1U});
    return true;
  }

  // REQUIRES: the cursor is after the indentation of a line with text. Lines that begin with a blank are not folded.
  void ScanLine() {
    const bool begins_blank = IsBlank(cursor_.Next());
    if (folded_ && !after_blank_ && !begins_blank && last_break_ == "\n") {
      if (breaks_.empty()) text_ += ' ';
    } else {
      text_ += last_break_;
    }
    text_ += breaks_;
    after_blank_ = begins_blank;
    const char* begin = cursor_.at();
    cursor_.SkipRestOfLine();
    text_.append(begin, cursor_.at());
    out_.end = cursor_.mark();
    const char* line_end = cursor_.at();
    last_break_ = cursor_.SkipBreak() ? BreakText(line_end) : std::string_view();
  }

  Cursor& cursor_;
  const ScalarContext& context_;
  std::string& text_;
  bool folded_;
  char chomping_ = '\0';
  uint32_t indent_ = 0;  // 0: not known yet
  bool after_blank_ = false;
  std::string_view last_break_;  // the line break after the last line with text
  std::string breaks_;           // the line breaks of the blank lines after it
  Mark end_of_breaks_ = {};      // before the last line break
  ScannedScalar out_;
};

}  // namespace

ScannedScalar ScanBlock(Cursor& cursor, const ScalarContext& context) { return BlockScanner(cursor, context).Scan(); }

}  // namespace smp::yaml
