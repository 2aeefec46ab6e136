// Which words of a line another line changes, and long lines cut so that these can be seen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smp::explain {

// Bytes [begin, end) of a line. Empty where the other line has more.
struct Span {
  size_t begin = 0, end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

struct ChangedWords {
  std::vector<Span> before, after;  // as many, in order: each span of one line becomes that of the other
};
ChangedWords DiffWords(std::string_view before, std::string_view after);

struct CutLine {
  std::string text;
  size_t hidden = 0;  // changes that there is no room for
};

// Returns at most `most` columns of a line: what differs from the `other` one, and as much around each change as there is
// room for.
CutLine CutAroundChanges(std::string_view line, std::string_view other, size_t most);

}  // namespace smp::explain
