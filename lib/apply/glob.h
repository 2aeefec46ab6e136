// Patterns of file names, as Go's path/filepath reads them and so kubectl's -f: * (no slash), ?, [a-z], [^a-z], and
// \ for a literal character. Unlike a shell's, a * also matches a leading dot.
#ifndef SMP_APPLY_GLOB_H_
#define SMP_APPLY_GLOB_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

// Whether the pattern matches all of `name`, which has no slash. REQUIRES: IsGlobPattern(pattern).
bool MatchesGlob(std::string_view pattern, std::string_view name);

// False for a pattern that is cut off: an open [, an empty class or range, a \ at the end.
bool IsGlobPattern(std::string_view pattern);

// The files and folders that there are, folder by folder in order of their names. Error: invalid-argument, for a bad
// pattern.
Result<std::vector<std::string>> Glob(const std::string& pattern);

}  // namespace smp

#endif  // SMP_APPLY_GLOB_H_
