// "Did you mean this?": finds the known words (commands, flags, fields) that the user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp {

// Returns the words that start with `typed`, then those at most two edits (letters added, left out or changed) away,
// nearest first. Ignores case. This is cobra's rule for commands, so kubectl's.
std::vector<std::string> SpelledLike(std::string_view typed, const std::vector<std::string>& known);

}  // namespace smp
