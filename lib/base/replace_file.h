// Replaces or creates a file as a whole, so that nobody ever reads half of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Writes `text` into a new file beside `path`, with its mode, owner and attributes (such as an ACL), and then gives it its
// name. Follows links. A file with several names, or whose owner cannot be kept, is overwritten instead: with a new file its
// other names would keep the old text. Nothing changes if it fails, unless the error says otherwise. Error:
// invalid-argument, e.g. if the file does not exist or the folder is not writable.
Status ReplaceFile(const std::string& path, std::string_view text);

// Who may read a new file: whom the umask lets, or only its owner.
enum class Readers { kAll, kOwner };

// Creates the file, and the folder that it is in. Never replaces one. Error: invalid-argument.
Status CreateFile(const std::string& path, std::string_view text, Readers readers);

}  // namespace smp
