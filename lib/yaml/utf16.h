// Decodes UTF-16, which PowerShell's > writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp::yaml {

// Returns the text as UTF-8 without its byte order mark; nullopt if it does not begin with a UTF-16 byte order mark.
// Unpaired surrogates and an odd byte at the end are replaced by U+FFFD.
std::optional<std::string> FromUtf16(std::string_view text);

}  // namespace smp::yaml
