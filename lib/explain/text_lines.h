// Two values as the lines that differ, with some of the lines around them.
#pragma once

#include <string>
#include <string_view>

#include "explain/text.h"
#include "value/value.h"

namespace smp::explain {

// Returns the lines of a block: a text, or a value as YAML, with `sign` before each. Long ones are folded.
std::string PrintBlock(const Value& value, char sign, size_t indent, const TextOptions& options);

// Returns the text with escapes for what is invisible (escape.h) and for blanks that look like spaces, such as U+00A0.
std::string VisibleBlanks(std::string_view text);

// Returns the lines that are removed and added, with two lines around them and the numbers of the others.
std::string PrintLineDiff(const Value& before, const Value& after, size_t indent, const TextOptions& options);

}  // namespace smp::explain
