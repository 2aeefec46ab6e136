// How many columns of a terminal a character takes.
#pragma once

#include <cstddef>

namespace smp {

// Returns 0 for a control character and one that combines with the character before it, 2 for a wide one (Chinese, Japanese,
// Korean, most emoji), else 1. Of emoji that are joined to one, each counts.
size_t ColumnWidth(char32_t code);

}  // namespace smp
