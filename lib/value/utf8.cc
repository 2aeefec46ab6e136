#include "value/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/strings.h"

namespace smp {

namespace {

constexpr Rune kInvalid = {kReplacementRune, 1, false};

// Returns the number of leading ASCII bytes. Reads eight bytes at a time.
size_t AsciiPrefix(std::string_view text) {
  size_t at = 0;
  for (uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & 0x8080808080808080ULL) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

Rune FirstRune(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return kInvalid;
  char32_t code = lead & (0xFFU >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(text[i])) return kInvalid;
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return kInvalid;
  return {code, size, true};
}

bool IsValidUtf8(std::string_view text) {
  while (true) {
    text.remove_prefix(AsciiPrefix(text));
    if (text.empty()) return true;
    const Rune rune = FirstRune(text);
    if (!rune.valid) return false;
    text.remove_prefix(rune.size);
  }
}

bool IsAscii(std::string_view text) { return AsciiPrefix(text) == text.size(); }

std::string_view Utf8Prefix(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  constexpr size_t kLongestPart = 3;
  for (size_t part = 1; part <= std::min(kLongestPart, most); ++part) {
    if (FirstRune(text.substr(most - part)).size > part) return text.substr(0, most - part);
  }
  return text.substr(0, most);
}

std::string CutEnd(std::string_view text, size_t most) {
  const std::string_view begin = Utf8Prefix(text, most);
  return StrCat(begin, begin.size() < text.size() ? "…" : "");
}

void AppendUtf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    AppendUtf8(out, rune.code);
    text.remove_prefix(rune.size);
  }
  return out;
}

}  // namespace smp
