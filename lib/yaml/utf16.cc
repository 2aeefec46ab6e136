#include "yaml/utf16.h"

#include "value/utf8.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";

bool IsHighSurrogate(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::optional<std::string> FromUtf16(std::string_view text) {
  if (!text.starts_with(kLittleEndianMark) && !text.starts_with(kBigEndianMark)) return std::nullopt;
  const size_t low = text.starts_with(kLittleEndianMark) ? 0 : 1;  // index of the low byte in each pair
  const auto unit = [&](size_t at) -> char32_t {
    if (at + 1 >= text.size()) return at < text.size() ? kReplacementRune : 0;
    return static_cast<unsigned char>(text[at + low]) |
           static_cast<char32_t>(static_cast<unsigned char>(text[at + 1 - low])) << 8;
  };
  std::string out;
  out.reserve(text.size() / 2);
  for (size_t at = 2; at < text.size(); at += 2) {
    const char32_t first = unit(at);
    const char32_t second = unit(at + 2);
    if (IsHighSurrogate(first) && IsLowSurrogate(second)) {
      AppendUtf8(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
      at += 2;
    } else {
      AppendUtf8(out, IsHighSurrogate(first) || IsLowSurrogate(first) ? kReplacementRune : first);
    }
  }
  return out;
}

}  // namespace smp::yaml
