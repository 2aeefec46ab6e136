// Percent-encoding (RFC 3986, 2.1): of URLs, and of names in headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp::net {

bool IsAlnum(char c);  // ASCII only

// Writes every byte that `stays` is false for as %XX.
std::string PercentEncoded(std::string_view text, bool (*stays)(char));

// nullopt if a % is not followed by two hex digits.
std::optional<std::string> PercentDecoded(std::string_view text);

}  // namespace smp::net
