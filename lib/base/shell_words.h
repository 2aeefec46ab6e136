// Words as a POSIX shell splits and quotes them, without running one. Nothing is expanded: $, * and ` are themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

enum class Backslash { kEscapes, kIsItself };

// kIsItself where it separates folders: nobody doubles it in C:\tools\diff.exe.
Backslash BackslashOfSystem();

// Returns the words of the text: git diff "--word-diff-regex=a b" has three. Error: invalid-argument, for a quote that is
// not closed or a backslash at the end.
Result<std::vector<std::string>> ShellWords(std::string_view text, Backslash backslash = BackslashOfSystem());

// Returns the text as one word of a shell: in single quotes, unless it needs none.
std::string ShellQuoted(std::string_view text);

}  // namespace smp
