// "Did you mean this?": finds the known words (commands, flags, fields) that the user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp {

// Returns the words that start with `typed`, then those at most two edits (letters added, removed or changed) away,
// nearest first. Ignores case. This is how cobra, and so kubectl, suggests commands.
std::vector<std::string> SpelledLike(std::string_view typed, const std::vector<std::string>& known);

}  // namespace smp
