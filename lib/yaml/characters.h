// The character classes of YAML 1.1 as in goyaml v2 (yamlprivateh.go). The functions read bytes from `at` on. The text
// must end with its only NUL byte: a function reads a byte only if the byte before it is not NUL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "value/utf8.h"

namespace smp::yaml {

enum CharacterClass : uint8_t {
  kBlank = 1,        // space, tab
  kLineEnd = 2,      // \n, \r, and the NUL after the text
  kMayEndLine = 4,   // first byte of U+0085, U+2028 and U+2029
  kColon = 8,        // a colon, which may end a plain scalar
  kFlowSign = 16,    // ends a plain scalar inside [ ] and { }
  kQuoteSign = 32,   // quotes and backslash
  kWord = 64,        // letters, digits, _ and -
  kIndicator = 128,  // cannot begin a plain scalar, or only before certain characters
};

constexpr std::array<uint8_t, 256> MakeCharacterClasses() {
  std::array<uint8_t, 256> classes = {};
  const auto mark = [&classes](std::string_view characters, uint8_t as) {
    for (const char c : characters) classes[static_cast<unsigned char>(c)] |= as;
  };
  mark(" \t", kBlank);
  mark(std::string_view("\n\r\0", 3), kLineEnd);
  mark("\xC2\xE2", kMayEndLine);
  mark(":", kColon);
  mark(",?[]{}", kFlowSign);
  mark("'\"\\", kQuoteSign);
  mark("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-", kWord);
  mark("-?:,[]{}#&*!|>'\"%@`", kIndicator);
  return classes;
}

inline constexpr std::array<uint8_t, 256> kCharacterClasses = MakeCharacterClasses();

inline bool HasClass(char c, int classes) { return (kCharacterClasses[static_cast<unsigned char>(c)] & classes) != 0; }

inline bool IsBlank(char c) { return HasClass(c, kBlank); }
// Returns true for characters allowed in a tag.
inline bool IsUriCharacter(char c) {
  return HasClass(c, kWord) ||
         (c != '\0' && std::string_view(";/?:@&=+$,.!~*'()[]%").find(c) != std::string_view::npos);
}

inline bool IsLineSeparator(const char* at) {  // U+2028 or U+2029
  return at[0] == '\xE2' && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9');
}

// Returns the size in bytes of the line break at `at`; 0 if there is no line break.
inline size_t BreakSize(const char* at) {
  if (!HasClass(*at, kLineEnd | kMayEndLine)) return 0;
  if (*at == '\r') return at[1] == '\n' ? 2 : 1;
  if (*at == '\xC2') return at[1] == '\x85' ? 2 : 0;
  if (*at == '\xE2') return IsLineSeparator(at) ? 3 : 0;
  return *at == '\n' ? 1 : 0;
}

// Returns true at a blank, a line break, or the end of the text.
inline bool EndsWord(const char* at) {
  if (!HasClass(*at, kBlank | kLineEnd | kMayEndLine)) return false;
  return !HasClass(*at, kMayEndLine) || BreakSize(at) > 0;
}

// Returns the line break for a scalar's value: U+2028 and U+2029 as they are, else \n. REQUIRES: BreakSize(at) > 0.
inline std::string_view BreakText(const char* at) { return *at == '\xE2' ? std::string_view(at, 3) : "\n"; }

}  // namespace smp::yaml
