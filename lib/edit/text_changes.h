// TextChanges: what an edit does to the bytes of a text. Whatever is not named stays.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smp::edit {

class TextChanges {
 public:
  // The bytes [begin, end) become `text`. REQUIRES: they overlap with no other change. Changes that begin at the same
  // byte are applied in the order of the calls.
  void Replace(size_t begin, size_t end, std::string_view text);
  void Insert(size_t at, std::string_view text) { Replace(at, at, text); }
  void Remove(size_t begin, size_t end) { Replace(begin, end, {}); }

  bool Inserts(size_t from) const;  // whether a change adds text at or after `from`
  bool Removes(size_t at) const;    // whether a change covers the byte

  // O(n log n) in the number of changes, linear in the text.
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
