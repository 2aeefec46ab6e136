// Cursor: a position in the text, with its line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "value/utf8.h"
#include "yaml/characters.h"
#include "yaml/token.h"

namespace smp::yaml {

class Cursor {
 public:
  // Starts at offset `begin`. REQUIRES: a NUL byte follows `text`, and `text` contains none.
  Cursor(std::string_view text, size_t begin)
      : begin_(text.data()), at_(begin_ + begin), line_begin_(at_), counted_(at_), ascii_(IsAscii(text)) {}

  char Next() const { return *at_; }
  const char* at() const { return at_; }
  bool AtEnd() const { return *at_ == '\0'; }
  bool AtLineBegin() const { return at_ == line_begin_; }
  uint32_t line() const { return line_; }
  uint32_t offset() const { return static_cast<uint32_t>(at_ - begin_); }

  // These three must stay within the current line.
  void MoveTo(const char* at) { at_ = at; }
  void Skip(size_t bytes) { at_ += bytes; }
  void SkipBlanks() {
    while (IsBlank(*at_)) ++at_;
  }

  bool SkipBreak() {
    const size_t size = BreakSize(at_);
    if (size == 0) return false;
    at_ += size;
    line_begin_ = counted_ = at_;
    continuations_ = 0;
    ++line_;
    return true;
  }

  // Returns true if the rest of the line is blank or a comment.
  bool AtBlankRest() const {
    const char* rest = at_;
    while (IsBlank(*rest)) ++rest;
    return *rest == '#' || *rest == '\0' || BreakSize(rest) > 0;
  }

  void SkipRestOfLine() {
    while (!HasClass(*at_, kLineEnd) && BreakSize(at_) == 0) ++at_;
  }

  // Returns true at `---` or `...` (for `sign` '-' or '.') at the beginning of a line, followed by a blank or line end.
  bool AtMarker(char sign) const {
    return AtLineBegin() && at_[0] == sign && at_[1] == sign && at_[2] == sign && EndsWord(at_ + 3);
  }
  bool AtDocumentMarker() const { return AtMarker('-') || AtMarker('.'); }

  // Returns the column in characters. All calls together look at each byte once; in an ASCII text, at none.
  uint32_t Column() {
    if (!ascii_) CountContinuations();
    return static_cast<uint32_t>(at_ - line_begin_) - continuations_;
  }
  Mark mark() { return {offset(), line_, Column()}; }

 private:
  void CountContinuations() {
    for (; counted_ < at_; ++counted_) continuations_ += IsContinuation(*counted_) ? 1 : 0;
  }

  const char* begin_;
  const char* at_;
  const char* line_begin_;
  const char* counted_;  // continuations_ counts the bytes of the line before this
  uint32_t continuations_ = 0;
  uint32_t line_ = 0;
  bool ascii_;
};

}  // namespace smp::yaml
