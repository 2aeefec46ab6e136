// Text in columns of a terminal (column_width.h): how wide it is, cut and wrapped. A control character, which no text that
// is shown has (escape.h) but for the marks of colors, takes none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smp {

size_t Columns(std::string_view text);

// Returns the first or last characters that take at most `most` columns.
std::string_view FirstColumns(std::string_view text, size_t most);
std::string_view LastColumns(std::string_view text, size_t most);

// Returns the text with … in place of its middle if it is wider than `most`.
std::string CutMiddle(std::string_view text, size_t most);

// Returns at most `most` columns of the text, with … at the cut ends: those around the bytes [from, to).
std::string CutAround(std::string_view text, size_t from, size_t to, size_t most);

// Returns the lines of a text that is broken at spaces. A longer word has a line of its own, or that of the sign
// that the text begins with.
std::vector<std::string> Wrapped(std::string_view text, size_t width);

}  // namespace smp
