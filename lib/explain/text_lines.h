// Two values as the lines that differ, with some of the lines around them.
#pragma once

#include <cstddef>
#include <string>

#include "explain/text.h"
#include "value/value.h"

namespace smp::explain {

inline constexpr size_t kLongestBlock = 20;  // lines; longer ones are folded

// Returns the lines of a block: a text, or a value as YAML, with `sign` before each. If there are more than `most`, they
// are folded.
std::string PrintBlock(const Value& value, char sign, size_t indent, const TextOptions& options,
                       size_t most = kLongestBlock);

// Returns the lines that are removed and added, with two lines around them and the numbers of the others. After `most`
// lines, what else differs is only counted. `applied`: marks the removed lines that this value does not have
// (changed_in_live.h); nullptr: none.
std::string PrintLineDiff(const Value& before, const Value& after, size_t indent, const TextOptions& options,
                          size_t most, const Value* applied = nullptr);

}  // namespace smp::explain
