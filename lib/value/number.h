// Numbers as Go's strconv reads and prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smp {

// Parses all of `text` as a decimal int64; `-` is allowed, `+` is not. Else returns nullopt.
std::optional<int64_t> ParseInt64(std::string_view text);

// Parses all of `text` as a decimal floating-point number; underflow gives 0. nullopt on overflow or if not a number.
std::optional<double> ParseDouble(std::string_view text);

// The shortest decimal digits that read back as the same number: 0.DIGITS × 10^point, so 12.5 is {"125", 2}.
struct Decimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};
Decimal ShortestDecimal(double d);
Decimal ShortestDecimal(float f);

std::string FixedNotation(const Decimal& decimal);       // 'f': 0.000012
std::string ScientificNotation(const Decimal& decimal);  // 'e': 1.2e-05
// 'g', as Go with precision -1: scientific below 1e-4 and from 1e6.
std::string GeneralNotation(const Decimal& decimal);

}  // namespace smp
