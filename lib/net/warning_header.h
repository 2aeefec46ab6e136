// The Warning header (RFC 7234, 5.5): warnings `299 - "text"`, separated by commas; quotes, backslashes escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::net {

// Returns the texts of the warnings with code 299, the only code that API servers use. Ignores the rest of the header
// after a malformed warning, as client-go does.
std::vector<std::string> ParseWarnings(std::string_view header);

}  // namespace smp::net
