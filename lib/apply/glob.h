// File name patterns as in Go's path/filepath, and so in kubectl's -f: * (no slash), ?, [a-z], [^a-z], and \ for a
// literal character. Unlike in a shell, * also matches a leading dot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp::apply {

// Returns true if the pattern matches all of `name`, which has no slash. REQUIRES: IsGlobPattern(pattern).
bool MatchesGlob(std::string_view pattern, std::string_view name);

// Returns false for an incomplete pattern: an open [, an empty class or range, a \ at the end.
bool IsGlobPattern(std::string_view pattern);

// Returns the existing files and folders that match, folder by folder, sorted by name. Error: invalid-argument, for a
// bad pattern.
Result<std::vector<std::string>> Glob(const std::string& pattern);

}  // namespace smp::apply
