// File name patterns with the syntax of Go's path/filepath, which kubectl's -f uses: * (no slash), ?, [a-z], [^a-z],
// and \ for a literal character, except on Windows. Unlike in a shell, * also matches a leading dot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp::apply {

// Returns true if the pattern matches all of `name`. REQUIRES: IsGlobPattern(pattern); `name` has no slash.
bool MatchesGlob(std::string_view pattern, std::string_view name);

// Returns false for a malformed pattern: an unclosed [, an empty class or range, a \ at the end.
bool IsGlobPattern(std::string_view pattern);

// Returns the existing files and folders that match, folder by folder, sorted by name. Error: invalid-argument, for a
// bad pattern.
Result<std::vector<std::string>> Glob(const std::string& pattern);

}  // namespace smp::apply
