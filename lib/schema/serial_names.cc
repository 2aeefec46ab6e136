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

std::optional<std::string> Unescaped(std::string_view text) {
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      name += text[i];
      continue;
    }
    if (text.size() - i < 3 || HexValue(text[i + 1]) < 0 || HexValue(text[i + 2]) < 0) return std::nullopt;
    name += static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
    i += 2;
  }
  return name;
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

std::optional<std::string> NameFrom(std::string_view token) {
  if (token.empty()) return std::nullopt;
  if (token == "-") return std::string();
  if (token.find('%') == std::string_view::npos) return std::string(token);
  return Unescaped(token);
}

}  // namespace smp
