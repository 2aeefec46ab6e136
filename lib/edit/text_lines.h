// TextLines: the lines of a YAML text's first document, and which of them belong to an entry.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "edit/text_tree.h"

namespace smp::edit {

class TextLines {
 public:
  // Adds a line end to the last line if it has none.
  explicit TextLines(const TextTree& tree);

  std::string_view text() const { return text_; }
  std::string_view Between(size_t begin, size_t end) const { return text().substr(begin, end - begin); }
  bool was_open() const { return text_.size() > read_size_; }  // the last line had no line end
  size_t read_size() const { return read_size_; }              // without the line end that was added

  size_t Begin(size_t at) const;  // start of the line that contains `at`; Next: start of the following line
  size_t End(size_t at) const;    // end of the line, without its line end
  size_t Next(size_t at) const;
  size_t Column(size_t at) const { return at - Begin(at); }

  // Returns true if only spaces precede `at` on its line.
  bool IsFirst(size_t at) const;
  // Returns true if the line that begins at `line` is blank.
  bool IsBlank(size_t line) const;
  bool AreBlank(size_t begin, size_t end) const;
  // Returns true if any of the consecutive blank lines from `line` on contains spaces or tabs, or the line after them begins
  // with a tab: they would become a part of a block scalar, or make it unreadable.
  bool HasSpacesIn(size_t line) const;
  // Returns true if any line from `line` to the end is indented.
  bool HasIndentationIn(size_t line) const;
  bool HasLineEnd(size_t begin, size_t end) const { return End(begin) < end; }

  // An entry owns the comments directly above it in its column (not before `bound`), unless they are entries that are
  // commented out or above such, and the comments below it that are indented deeper than `column`. LeadOf returns where its
  // lines begin, TailOf where they end.
  size_t LeadOf(size_t entry, size_t bound) const;
  size_t TailOf(size_t end, size_t column) const;

 private:
  size_t FirstVisible(size_t line) const;
  size_t Previous(size_t line) const;
  size_t AfterCommentedOut(size_t begin, size_t entry) const;
  std::optional<size_t> CommentColumn(size_t line) const;
  bool EndsAt(size_t at) const;

  std::string text_;
  size_t read_size_;
  size_t first_;  // after a byte order mark
};

}  // namespace smp::edit
