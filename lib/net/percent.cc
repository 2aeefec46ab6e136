#include "net/percent.h"

#include <charconv>

namespace smp::net {

std::string PercentEncoded(std::string_view text, bool (*stays)(char)) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (stays(c)) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

std::optional<std::string> PercentDecoded(std::string_view text) {
  std::string out;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] != '%') {
      out += text[0];
      continue;
    }
    unsigned char byte = 0;
    if (text.size() < 3 || std::from_chars(&text[1], &text[1] + 2, byte, 16).ptr != &text[1] + 2) return std::nullopt;
    out += static_cast<char>(byte);
    text.remove_prefix(2);
  }
  return out;
}

}  // namespace smp::net
