#include "value/unescape.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "value/utf8.h"

namespace smp {

namespace {

// Returns the control character of an escape of Go and JSON, such as "\\n"; 0 if the letter has none.
char ControlCharacter(char letter) {
  constexpr std::string_view kLetters = "abfnrtv";
  constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v";
  const size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? '\0' : kCharacters[at];
}

// Returns the number of digits in escapes such as "u0026", "x01" and "U0010ffff".
size_t HexDigits(char letter) {
  switch (letter) {
    case 'x': return 2;
    case 'u': return 4;
    case 'U': return 8;
    default: return 0;
  }
}

// Appends the character whose escape, without the backslash, is at `at`; moves `at` past it.
void AppendEscaped(std::string_view text, size_t& at, std::string& out) {
  const char letter = text[at++];
  const size_t digits = HexDigits(letter);
  const char* first = text.data() + at;
  uint32_t code = 0;
  if (digits > 0 && text.size() - at >= digits &&
      std::from_chars(first, first + digits, code, 16).ptr == first + digits) {
    at += digits;
    return letter == 'x' ? out.push_back(static_cast<char>(code)) : AppendUtf8(out, code);
  }
  const char control = ControlCharacter(letter);
  out += control != '\0' ? control : letter;
}

}  // namespace

Unescaped Unescape(std::string_view text) {
  Unescaped out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    at = std::min(text.find_first_not_of('\\', at), text.size());
    if (at == text.size()) break;
    if (at == begin) {
      out.text += text[at++];
    } else {
      AppendEscaped(text, at, out.text);
    }
    out.begins.resize(out.text.size(), begin);
  }
  out.begins.push_back(text.size());
  return out;
}

}  // namespace smp
