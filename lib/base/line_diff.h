// Which lines of a text (or items of a list) another one keeps. By unique lines first, then by Myers' algorithm with a
// bound, so that the time is linear in the number of lines, whatever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smp {

struct LineEdit {
  enum class Kind { kKeep, kRemove, kAdd };
  Kind kind = Kind::kKeep;
  size_t before = 0;  // index; of kAdd: the next one that is not removed
  size_t after = 0;   // index; of kRemove: likewise

  friend bool operator==(const LineEdit&, const LineEdit&) = default;
};

// Returns the edits that turn `before` into `after`, removals before additions. Equal numbers are equal lines.
std::vector<LineEdit> DiffLines(const std::vector<uint32_t>& before, const std::vector<uint32_t>& after);
std::vector<LineEdit> DiffLines(const std::vector<std::string_view>& before,
                                const std::vector<std::string_view>& after);

// Returns the positions of a longest increasing subsequence of different numbers.
std::vector<size_t> LongestIncreasing(const std::vector<size_t>& numbers);

}  // namespace smp
