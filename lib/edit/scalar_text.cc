#include "edit/scalar_text.h"

#include <algorithm>

#include "base/strings.h"
#include "edit/inner_document.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/yaml_scalar.h"

namespace smp::edit {

namespace {

void AppendHex(std::string& out, char32_t code, int digits) {
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[(code >> (4 * i)) & 0xF];
}

// Appends the escape for `code` that JSON and YAML share. Returns false if it has no such escape.
bool AppendEscape(std::string& out, char32_t code) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  const size_t named = code < 0x80 ? kNamed.find(static_cast<char>(code)) : std::string_view::npos;
  if (named == std::string_view::npos) return false;
  out += '\\';
  out += kNames[named];
  return true;
}

// Returns true if every YAML reader accepts the character unescaped.
bool IsPrintable(char32_t c) {
  if (c < 0xA0) return c >= 0x20 && c <= 0x7E;
  return c != 0x2028 && c != 0x2029 && c != 0xFEFF && c < 0x110000 && (c & 0xFFFE) != 0xFFFE &&
         (c < 0xD800 || c > 0xDFFF);
}

bool IsAllPrintable(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    if (!rune.valid || !IsPrintable(rune.code)) return false;
    at += rune.size;
  }
  return true;
}

// JSON requires that control characters are escaped; in YAML whatever is not printable should be.
std::string DoubleQuoted(std::string_view text, DataFormat format) {
  const bool is_json = format == DataFormat::kJson;
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    at += rune.size;
    if (AppendEscape(out, rune.code)) continue;
    if (is_json ? rune.code >= 0x20 : IsPrintable(rune.code)) {
      AppendUtf8(out, rune.code);
    } else {
      const int digits = rune.code > 0xFFFF ? 8 : is_json || rune.code > 0xFF ? 4 : 2;
      out += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
      AppendHex(out, rune.code, digits);
    }
  }
  return out + "\"";
}

std::string SingleQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

// Returns true for the form of a date: some readers take even 2001-13-01 for a date.
bool LooksLikeDate(std::string_view text) {
  return text.size() > 5 && std::all_of(text.begin(), text.begin() + 4, IsDigit) && text[4] == '-' && IsDigit(text[5]);
}

// Numbers of YAML 1.2 that Go reads as strings, such as 1e400. Some readers skip underscores.
bool LooksLikeNumber(std::string_view text) {
  std::string digits(text);
  std::replace(digits.begin(), digits.end(), '_', '0');
  return yaml::IsYamlFloat(digits);
}

bool ReadsAsText(std::string_view text) {
  return yaml::ResolvePlain(text).type == yaml::YamlScalar::Type::kString && text != "=" && !yaml::IsBase60(text) &&
         !LooksLikeDate(text) && !LooksLikeNumber(text);
}

// Returns true if the text needs no quotes. Stricter than YAML, because some readers are.
bool CanBePlain(std::string_view text, YamlPlace place) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
  if (text.front() == '-' && (text.size() == 1 || text[1] == ' ')) return false;
  if (text.starts_with("---") || text.starts_with("...")) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  if (place == YamlPlace::kFlow && text.find_first_of(",[]{}?:#") != std::string_view::npos) return false;
  return IsAllPrintable(text) && ReadsAsText(text);
}

std::string YamlString(std::string_view text, YamlPlace place, Quotes preferred) {
  if (preferred == Quotes::kNone && CanBePlain(text, place)) return std::string(text);
  const bool can_be_single = IsAllPrintable(text);
  if (can_be_single && preferred == Quotes::kSingle) return SingleQuoted(text);
  const bool would_be_escaped = text.find_first_of("\"\\") != std::string_view::npos;
  if (can_be_single && preferred == Quotes::kNone && would_be_escaped) return SingleQuoted(text);
  return DoubleQuoted(text, DataFormat::kYaml);
}

// Adds a decimal point before an exponent: YAML 1.1 reads a number with an exponent but no point as a string.
std::string YamlNumber(double d) {
  std::string text = WriteNumber(d);
  const size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace

std::string JsonScalar(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool: return value.AsBool() ? "true" : "false";
    case Kind::kInt: return std::to_string(value.AsInt());
    case Kind::kDouble: return WriteNumber(value.AsDouble());
    case Kind::kString: return DoubleQuoted(value.AsString(), DataFormat::kJson);
    default: return "null";
  }
}

std::string YamlScalarLine(const Value& value, YamlPlace place, Quotes preferred) {
  if (value.is_string()) return YamlString(value.AsString(), place, preferred);
  return value.is_double() ? YamlNumber(value.AsDouble()) : JsonScalar(value);
}

bool FitsOldLiteral(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  const std::string_view last = text.substr(text.rfind('\n') + 1);
  if (text.empty() || is_blank(text.front()) || std::all_of(last.begin(), last.end(), is_blank)) return false;
  std::string visible(text);
  std::replace_if(visible.begin(), visible.end(), is_blank, ' ');
  return IsAllPrintable(visible);
}

bool FitsLiteral(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || text.ends_with("\n\n") || text == "\n") return false;
  if (text.front() == ' ' || text.front() == '\n' || text.front() == '\t') return false;
  for (const std::string_view line : Split(text, '\n')) {
    if (line.ends_with(' ') || line.ends_with('\t') || line.starts_with('\t')) return false;
    std::string visible(line);
    std::replace(visible.begin(), visible.end(), '\t', ' ');
    if (!IsAllPrintable(visible)) return false;
  }
  return true;
}

}  // namespace smp::edit
