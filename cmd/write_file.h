// Files of the user that a command has read, edited and writes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp::cmd {

// Replaces the file as a whole by `after`. Error: refused, if it no longer says `before`; invalid-argument, if it cannot be
// written.
Status WriteIfUnchanged(const std::string& file, std::string_view before, std::string_view after);

}  // namespace smp::cmd
