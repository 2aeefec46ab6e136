// Files for one user: nobody else may write them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Creates the file with mode 0600. Never replaces one, and removes what could not be written completely. `what` describes it
// in messages ("the plan"). Error: invalid-argument.
Status CreatePrivateFile(const std::string& path, std::string_view text, std::string_view what);

// Creates the file with mode 0600, or replaces its text. Error: invalid-argument.
Status WritePrivateFile(const std::string& path, std::string_view text);

struct PrivateText {
  std::string text;
  bool others_read = false;  // the mode allows it
};

// Errors: not-found; refused, if others own the file or may write it; invalid-argument if it cannot be read, is no regular
// file or has more than `max_bytes`.
Result<PrivateText> ReadPrivateFile(const std::string& path, size_t max_bytes, std::string_view what);

}  // namespace smp
