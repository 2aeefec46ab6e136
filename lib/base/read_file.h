// Reads small files of the user: kubeconfigs, tokens.
#pragma once

#include <chrono>
#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Returns the contents of a file or pipe. `what` describes it in messages ("the token file"). Errors: not-found if
// there is no such file; else invalid-argument (no permission, a folder, more than `max_bytes`).
Result<std::string> ReadWholeFile(const std::string& file, size_t max_bytes, std::string_view what);

// Returns the rest of the stream. `what` describes the stream in messages. Error: invalid-argument.
Result<std::string> ReadStream(std::istream& in, size_t max_bytes, std::string_view what);

// When a regular file was last changed; nullopt if there is no such file.
std::optional<std::chrono::sys_seconds> ModificationTime(const std::string& path);

}  // namespace smp
