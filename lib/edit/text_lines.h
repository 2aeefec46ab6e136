// Lines of the first document of a YAML text, and which of them belong to an entry.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "edit/text_tree.h"

namespace smp::edit {

class TextLines {
 public:
  // A last line that has no end gets one.
  explicit TextLines(const TextTree& tree);

  std::string_view text() const { return text_; }
  std::string_view Between(size_t begin, size_t end) const { return text().substr(begin, end - begin); }
  bool was_open() const { return text_.size() > read_size_; }  // the last line had no end
  size_t read_size() const { return read_size_; }              // without the end that it got

  size_t Begin(size_t at) const;  // of the line
  size_t End(size_t at) const;    // without the line end
  size_t Next(size_t at) const;
  size_t Column(size_t at) const { return at - Begin(at); }

  // Returns true if only spaces precede it on its line.
  bool IsFirst(size_t at) const;
  // Of a line that begins at `line`.
  bool IsBlank(size_t line) const;
  bool AreBlank(size_t begin, size_t end) const;
  // Returns true if one of the blank lines that begin at `line` is not empty.
  bool HasSpacesIn(size_t line) const;
  // Returns true if one of the lines from `line` on is indented.
  bool HasIndentationIn(size_t line) const;
  bool HasLineEnd(size_t begin, size_t end) const { return End(begin) < end; }

  // The lines of an entry include the comments directly above it in its column, which begin at `bound` at the earliest,
  // and the deeper ones below it.
  size_t LeadOf(size_t entry, size_t bound) const;
  size_t TailOf(size_t end, size_t column) const;

 private:
  size_t FirstVisible(size_t line) const;
  std::optional<size_t> CommentColumn(size_t line) const;
  bool EndsAt(size_t at) const;

  std::string text_;
  size_t read_size_;
  size_t first_;  // after a byte order mark
};

}  // namespace smp::edit
