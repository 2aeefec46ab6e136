#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace smp {

// Unicode code points, both ends included.
struct CodeRange {
  char32_t first, last;
};

// The ranges are sorted and do not overlap.
template <size_t kSize>
bool IsIn(char32_t code, const CodeRange (&ranges)[kSize]) {
  const CodeRange* at = std::lower_bound(std::begin(ranges), std::end(ranges), code,
                                         [](const CodeRange& range, char32_t wanted) { return range.last < wanted; });
  return at != std::end(ranges) && at->first <= code;
}

}  // namespace smp
