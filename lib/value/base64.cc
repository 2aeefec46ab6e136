#include "value/base64.h"

#include <array>
#include <cstdint>

namespace smp {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 64;

constexpr std::array<uint8_t, 256> Digits() {
  std::array<uint8_t, 256> out = {};
  out.fill(kNoDigit);
  for (size_t i = 0; i < kAlphabet.size(); ++i) out[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return out;
}
constexpr std::array<uint8_t, 256> kDigits = Digits();

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) bits = (bits << 8) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (size_t i = 0; i < 4; ++i) out += i <= group.size() ? kAlphabet[(bits >> (18 - 6 * i)) & 0x3F] : '=';
  }
  return out;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string packed(text);
  std::erase_if(packed, [](char c) { return c == '\n' || c == '\r'; });
  if (packed.size() % 4 != 0) return std::nullopt;
  const size_t padding = packed.ends_with("==") ? 2 : packed.ends_with("=") ? 1 : 0;
  packed.resize(packed.size() - padding);
  std::string out;
  out.reserve(packed.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : packed) {
    const uint8_t digit = kDigits[static_cast<unsigned char>(c)];
    if (digit == kNoDigit) return std::nullopt;
    bits = (bits << 6) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((bits >> count) & 0xFF);
  }
  return out;
}

}  // namespace smp
