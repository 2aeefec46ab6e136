#include "value/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace smp {

namespace {

// "-1.25e+07" → negative, "125", 8.
template <class Float>
Decimal Shortest(Float f) {
  std::array<char, 64> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), f, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text.data();
  if (*at == '-') decimal.negative = true, ++at;
  for (; at != end && *at != 'e'; ++at) {
    if (*at != '.') decimal.digits += *at;
  }
  int exponent = 0;
  if (at != end) std::from_chars(at[1] == '+' ? at + 2 : at + 1, end, exponent);
  decimal.point = f == 0 ? 1 : exponent + 1;
  return decimal;
}

std::string Sign(const Decimal& decimal) { return decimal.negative ? "-" : ""; }

}  // namespace

std::optional<int64_t> ParseInt64(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // from_chars does not distinguish underflow from overflow; strtod does (0 or a subnormal number, or infinity).
    value = std::strtod(std::string(text).c_str(), nullptr);
    return std::abs(value) < 1 ? std::optional<double>(value) : std::nullopt;
  }
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Decimal ShortestDecimal(double d) { return Shortest(d); }
Decimal ShortestDecimal(float f) { return Shortest(f); }

std::string FixedNotation(const Decimal& decimal) {
  const std::string& digits = decimal.digits;
  const int count = static_cast<int>(digits.size());
  if (decimal.point <= 0) return Sign(decimal) + "0." + std::string(static_cast<size_t>(-decimal.point), '0') + digits;
  const size_t point = static_cast<size_t>(decimal.point);
  if (decimal.point >= count) return Sign(decimal) + digits + std::string(point - digits.size(), '0');
  return Sign(decimal) + digits.substr(0, point) + "." + digits.substr(point);
}

std::string ScientificNotation(const Decimal& decimal) {
  const int exponent = decimal.point - 1;
  std::string out = Sign(decimal) + decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) out += "." + decimal.digits.substr(1);
  out += exponent < 0 ? "e-" : "e+";
  if (std::abs(exponent) < 10) out += '0';
  return out + std::to_string(std::abs(exponent));
}

std::string GeneralNotation(const Decimal& decimal) {
  const int exponent = decimal.point - 1;
  return exponent < -4 || exponent >= 6 ? ScientificNotation(decimal) : FixedNotation(decimal);
}

}  // namespace smp
