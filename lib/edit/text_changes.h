// TextChanges: a list of replacements of byte ranges in a text. All other bytes stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smp::edit {

class TextChanges {
 public:
  // Replaces the bytes [begin, end) by `text`. REQUIRES: the range does not overlap with that of another change.
  // Changes that begin at the same byte are applied in the order of the calls.
  void Replace(size_t begin, size_t end, std::string_view text);
  void Insert(size_t at, std::string_view text) { Replace(at, at, text); }
  void Remove(size_t begin, size_t end) { Replace(begin, end, {}); }

  bool Inserts(size_t from) const;  // true if a change adds text at or after offset `from`
  bool Removes(size_t at) const;    // true if a change removes the byte at offset `at`

  // Returns the changed text. O(n log n) in the number of changes, linear in the text.
  std::string AppliedTo(std::string_view text);

 private:
  struct Change {
    size_t begin;
    size_t end;
    std::string text;
  };
  std::vector<Change> changes_;
};

}  // namespace smp::edit
