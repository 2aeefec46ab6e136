// Base64 with padding (RFC 4648, section 4), as in the data of Secrets. Decoding skips line ends, as in Go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp {

std::string EncodeBase64(std::string_view bytes);
std::optional<std::string> DecodeBase64(std::string_view text);  // nullopt if invalid

}  // namespace smp
