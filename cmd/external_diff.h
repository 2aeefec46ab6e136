// -o diff: compares the states of the objects that change with the program diff, or with $KUBECTL_EXTERNAL_DIFF.
#pragma once

#include <string>

#include "base/result.h"
#include "explain/report.h"

namespace smp::cmd {

// Writes the states to the folders live and merged of a temporary folder, as YAML, a file for each object with
// kubectl's name for it, and runs the program on them. The variable is read as words of a shell, and the folders come
// after them: git diff --no-index works. Returns what diff prints; the user's program prints to our terminal itself.
// Objects with errors and without states are left out. Errors: not-found or invalid-argument, if the program cannot be
// run or has another exit status than 0 and 1.
Result<std::string> ShowDifferences(const explain::Report& report);

}  // namespace smp::cmd
