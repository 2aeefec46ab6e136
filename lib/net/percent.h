// Percent-encoding (RFC 3986, 2.1) for URLs and for names in headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp::net {

// Returns `text` with each byte for which `stays` returns false encoded as %XX.
std::string PercentEncoded(std::string_view text, bool (*stays)(char));

// Returns nullopt if a % is not followed by two hex digits.
std::optional<std::string> PercentDecoded(std::string_view text);

}  // namespace smp::net
