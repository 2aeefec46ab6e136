// Reads small files of the user: kubeconfigs, tokens.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// Returns the contents; pipes can be read, too. `what` names the file in messages: "the token file". Errors: not-found
// if there is no such file; else invalid-argument (no permission, a folder, more than `max_bytes`).
Result<std::string> ReadWholeFile(const std::string& file, size_t max_bytes, std::string_view what);

// Returns the rest of the stream. Errors: invalid-argument; `what` names the stream in it.
Result<std::string> ReadStream(std::istream& in, size_t max_bytes, std::string_view what);

}  // namespace smp
