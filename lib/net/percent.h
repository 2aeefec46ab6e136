// Percent-encoding (RFC 3986, 2.1): of URLs, and of names in headers.
#ifndef SMP_NET_PERCENT_H_
#define SMP_NET_PERCENT_H_

#include <optional>
#include <string>
#include <string_view>

namespace smp {

bool IsAlnum(char c);  // ASCII only

// Writes every byte that `stays` is false for as %XX.
std::string PercentEncoded(std::string_view text, bool (*stays)(char));

// nullopt if a % is not followed by two hex digits.
std::optional<std::string> PercentDecoded(std::string_view text);

}  // namespace smp

#endif  // SMP_NET_PERCENT_H_
