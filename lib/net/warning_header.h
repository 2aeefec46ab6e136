// The Warning header of RFC 7234, 5.5: `299 - "text"`, several separated by commas, quotes and backslashes escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::net {

// Returns the texts of code 299, the only one that API servers use. Skips what follows a malformed warning, as
// client-go does.
std::vector<std::string> ParseWarnings(std::string_view header);

}  // namespace smp::net
