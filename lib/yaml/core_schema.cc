#include "yaml/core_schema.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "value/number.h"

namespace smp::yaml {

namespace {

using Type = YamlScalar::Type;

template <size_t kSize>
bool IsOneOf(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::ranges::find(words, text) != std::end(words);
}

bool IsAllOf(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

YamlScalar Float(double d) { return {Type::kFloat, Value::Double(d)}; }

// Of a number that no double holds, readers make infinity, an error or text.
YamlScalar FloatOf(std::string_view digits, bool negative) {
  const double d = ParseDouble(digits).value_or(kInfinity);
  return Float(negative ? -d : d);
}

// An integer beyond 64 bits is as large a float, so that it equals what another reader makes of it.
YamlScalar IntegerOf(std::string_view digits, int base, bool negative) {
  uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  const bool fits = std::from_chars(digits.data(), end, magnitude, base).ec == std::errc();
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (fits && magnitude <= kMax + (negative ? 1 : 0)) {
    return {Type::kInt, Value::Int(static_cast<int64_t>(negative ? 0 - magnitude : magnitude))};
  }
  return fits ? Float(static_cast<double>(magnitude)) : FloatOf(digits, negative);
}

std::optional<YamlScalar> CoreNumber(std::string_view text) {
  constexpr std::string_view kDecimal = "0123456789";
  if (text.starts_with("0o") && IsAllOf(text.substr(2), "01234567")) return IntegerOf(text.substr(2), 8, false);
  if (text.starts_with("0x") && IsAllOf(text.substr(2), "0123456789abcdefABCDEF")) {
    return IntegerOf(text.substr(2), 16, false);
  }
  const bool negative = text.starts_with('-');
  std::string_view digits = text;
  if (negative || text.starts_with('+')) digits.remove_prefix(1);
  if (IsAllOf(digits, kDecimal)) return IntegerOf(digits, 10, negative);
  // The specification also allows a point without digits after it.
  if (digits.ends_with('.')) digits.remove_suffix(1);
  const bool is_float = IsYamlFloat(text) || IsAllOf(digits, kDecimal);
  return is_float ? std::optional(FloatOf(digits, negative)) : std::nullopt;
}

}  // namespace

YamlScalar ResolveCore(std::string_view text) {
  if (IsOneOf(text, {"", "~", "null", "Null", "NULL"})) return {Type::kNull, Value()};
  if (IsOneOf(text, {"true", "True", "TRUE"})) return {Type::kBool, Value::Bool(true)};
  if (IsOneOf(text, {"false", "False", "FALSE"})) return {Type::kBool, Value::Bool(false)};
  if (IsOneOf(text, {".nan", ".NaN", ".NAN"})) return Float(std::numeric_limits<double>::quiet_NaN());
  if (IsOneOf(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return Float(kInfinity);
  if (IsOneOf(text, {"-.inf", "-.Inf", "-.INF"})) return Float(-kInfinity);
  return CoreNumber(text).value_or(YamlScalar{Type::kString, Value::UnownedString(text)});
}

}  // namespace smp::yaml
