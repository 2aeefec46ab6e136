// Texts in UTF-16, as PowerShell's > writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp::yaml {

// Returns the text in UTF-8, without its byte order mark; nullopt if it does not begin with one of UTF-16. Half a
// surrogate pair and half a unit at the end become U+FFFD.
std::optional<std::string> FromUtf16(std::string_view text);

}  // namespace smp::yaml
