// Completion candidates from the kubeconfig, from the cluster, and from the built-in kinds.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/schema_sources.h"

namespace smp::cmd {

// Returns an empty list on errors; prints no messages and does not prompt. Gets namespaces, types and names from the
// cluster; if this takes more than two seconds, prints "no candidates" and ends the program.
std::vector<std::string> LookUpValues(Hint hint, const ParsedFlags& flags, const std::string& typed);

// Returns the kinds, or the fields beside the last name of the path, that are known from there.
Result<std::vector<std::string>> KindsAndPaths(const std::string& typed, SchemaSources sources);

}  // namespace smp::cmd
