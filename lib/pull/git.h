// What git says of files. It is asked so that it runs nothing that a repository names: no file monitor, hook or filter, and
// nothing is fetched.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace smp::pull {

// Returns those of the files that have changes which are not committed, or that git does not track. None without git, or
// outside of a work tree. Error: refused, with git's words, if git cannot tell.
Result<std::vector<std::string>> Uncommitted(const std::vector<std::string>& files);

// Returns an error, refused, if the name leads by a link to a file outside of the repository in which the name is, or
// without a repository, outside of its folder: git would not show that it was changed.
Status CheckLeadsNotOut(const std::string& file);

// Returns when a file that has no such changes was last committed; nullopt if git does not tell.
std::optional<std::chrono::sys_seconds> LastCommitOf(const std::string& file);

// Returns the name of the file below the top of its work tree, as git apply wants it; else relative to the current folder.
std::string NameForGit(const std::string& file);

}  // namespace smp::pull
