// "Did you mean this?": which of the known words (commands, flags, fields) somebody may have meant.
#ifndef SMP_BASE_SPELLING_H_
#define SMP_BASE_SPELLING_H_

#include <string>
#include <string_view>
#include <vector>

namespace smp {

// Those that `typed` begins, and those two edits (letters added, left out or changed) away at most; the case of letters
// does not count. cobra's rule for commands, so kubectl's. The former
// come first, then the nearest.
std::vector<std::string> SpelledLike(std::string_view typed, const std::vector<std::string>& known);

}  // namespace smp

#endif  // SMP_BASE_SPELLING_H_
