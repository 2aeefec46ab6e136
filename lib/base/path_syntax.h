// How the system writes paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp {

// "/"; on Windows also "\".
bool IsPathSeparator(char c);

// Returns true for a character that the name of a file may have.
bool IsOfFileName(char c);

// Returns true if `program` is a path, and false if it is a name to be looked up on PATH.
bool IsProgramPath(std::string_view program);

// Splits a list of paths as PATH and KUBECONFIG have it.
std::vector<std::string_view> SplitPathList(std::string_view list);

}  // namespace smp
