// Values in one line, as YAML: a manifest has them like this, too. Values in several lines are YAML in blocks
// (text_lines.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::explain {

// Returns a string without quotes where YAML needs none, so that "5" and 5 differ; maps and lists in braces and brackets.
std::string OneLine(const Value& value);

// Returns nullopt if that has more than `most` bytes, and does not write a large value to find out.
std::optional<std::string> OneLineUpTo(size_t most, const Value& value);

// Returns the text with escapes for what is invisible (escape.h) and for blanks that look like spaces, such as U+00A0.
std::string VisibleBlanks(std::string_view text);

}  // namespace smp::explain
