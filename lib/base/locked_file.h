// Private files that must survive a crash, and that other runs leave alone while the run that made them needs them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace smp {

struct LockedFile {
  std::string path;
  Fd lock;  // while it is open, other runs leave the file alone (flock)
};

// What a name has between its beginning and `last` in CreateLockedFile: a dash and six random characters.
inline constexpr std::string_view kRandomPart = "-XXXXXX";

// Writes `text` to a new file in `folder` that only the user can read (0600, O_EXCL), whose name is `first`, a random part and
// `last`, and locks it. File and folder are flushed to disk. Error: invalid-argument.
Result<LockedFile> CreateLockedFile(const std::filesystem::path& folder, const std::string& first,
                                    std::string_view last, std::string_view text);

// Locks a file; a closed Fd if a running program needs it, or if it is not a private file of the user's.
Fd LockFile(const std::string& path);

// Returns the names in `folder` that begin with `first`; none if it cannot be read. Every apply looks for what an earlier one left, in
// folders that may be full of other people's files.
std::vector<std::string> NamesThatBegin(const std::filesystem::path& folder, std::string_view first);

// Makes the folder, and those above it, for the user alone, and flushes them to disk. No error if it exists.
Status MakeLastingFolder(const std::filesystem::path& folder);

// Keeps others from the folder, if it is the user's. Returns false if it is not, or others can still access it.
bool MakePrivate(const std::filesystem::path& folder);

}  // namespace smp
