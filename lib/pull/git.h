// What git says of files. Without git, or outside of a work tree, nothing.
#pragma once

#include <string>
#include <vector>

namespace smp::pull {

// Returns those of the files that have changes which are not committed, or that git does not track.
std::vector<std::string> Uncommitted(const std::vector<std::string>& files);

// Returns the name of the file below the top of its work tree, as git apply wants it; else relative to the current folder.
std::string NameForGit(const std::string& file);

}  // namespace smp::pull
