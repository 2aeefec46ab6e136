// Prints a report as workflow commands of GitHub Actions, which become annotations at the lines of the manifests.
#pragma once

#include <string>

#include "explain/report.h"

namespace smp::explain {

// Returns a command on each line: first the errors, then the warnings (also of rows whose reason is a surprise, and of
// deletions), then notices of all other changes, because GitHub shows only the first ten of each.
std::string PrintGithub(const Report& report);

}  // namespace smp::explain
