// UTF-8 as decoded by Go's unicode/utf8: a byte that does not begin a valid sequence is one invalid character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smp {

inline constexpr char32_t kReplacementRune = 0xFFFD;
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // U+FEFF

struct Rune {
  char32_t code;
  size_t size;  // bytes; 1 for an invalid byte
  bool valid;   // false: code is kReplacementRune
};

// Returns true for a byte of a character other than its first one.
inline bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

// Returns the first character. REQUIRES: !text.empty().
Rune FirstRune(std::string_view text);

bool IsValidUtf8(std::string_view text);
bool IsAscii(std::string_view text);

// Returns at most the first `most` bytes, without an incomplete character at the end.
std::string_view Utf8Prefix(std::string_view text, size_t most);

// Returns the text, with … after its first `most` bytes if it is longer.
std::string CutEnd(std::string_view text, size_t most);

void AppendUtf8(std::string& out, char32_t code);

// Replaces each invalid byte by U+FFFD, as encoding/json does.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace smp
