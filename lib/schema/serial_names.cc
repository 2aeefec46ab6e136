#include "schema/serial_names.h"

namespace smp {

namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool NeedsEscape(char c) {
  return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '%' || c == ',' || c == '=' || c == '#';
}

void AppendEscaped(std::string& out, char c) {
  out += '%';
  out += kHexDigits[static_cast<unsigned char>(c) >> 4];
  out += kHexDigits[static_cast<unsigned char>(c) & 15];
}

int HexValue(char c) {
  const size_t at = kHexDigits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

bool AppendUnescaped(std::string_view text, std::string& name) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      name += text[i];
      continue;
    }
    if (text.size() - i < 3 || HexValue(text[i + 1]) < 0 || HexValue(text[i + 2]) < 0) return false;
    name += static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
    i += 2;
  }
  return true;
}

}  // namespace

void AppendName(std::string& out, std::string_view name) {
  if (name.empty()) out += '-';
  if (name == "-") return AppendEscaped(out, '-');
  for (const char c : name) {
    if (NeedsEscape(c)) {
      AppendEscaped(out, c);
    } else {
      out += c;
    }
  }
}

bool ReadName(std::string_view word, std::string& out) {
  if (word.empty()) return false;
  out = word == "-" || word.find('%') != word.npos ? std::string() : std::string(word);
  return !out.empty() || word == "-" || AppendUnescaped(word, out);
}

}  // namespace smp
