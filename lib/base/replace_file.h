// Replaces or creates a file as a whole, so that nobody ever reads half of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Writes `text` into a new file beside `path`, with its mode, and then gives it its name. Follows links. Nothing changes if
// it fails. Error: invalid-argument, e.g. if the file does not exist or the folder is not writable.
Status ReplaceFile(const std::string& path, std::string_view text);

// Creates the file, and the folder that it is in. Never replaces one. Error: invalid-argument.
Status CreateFile(const std::string& path, std::string_view text);

}  // namespace smp
