// A text of several lines as a block scalar (`|`).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smp::edit {

inline constexpr size_t kDeepestIndicator = 9;

struct BlockScalar {
  std::vector<std::string_view> lines;  // without the line ends at the end of the text; never empty
  size_t final_breaks = 0;              // how many line ends those are
  bool needs_indicator = false;         // the indentation cannot be read from the first line

  // Returns "-", "" or "+".
  std::string_view chomping() const { return final_breaks == 0 ? "-" : final_breaks == 1 ? "" : "+"; }
};

// Returns nullopt if no block scalar can have the text: it has nothing but line ends, or a character that must be escaped.
std::optional<BlockScalar> AsBlockScalar(std::string_view text);

}  // namespace smp::edit
