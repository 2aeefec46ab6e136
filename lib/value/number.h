// Numbers as Go's strconv reads and prints them.
#ifndef SMP_VALUE_NUMBER_H_
#define SMP_VALUE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smp {

// All of `text` as a decimal int64, `-` allowed, `+` not.
std::optional<int64_t> ParseInt64(std::string_view text);

// All of `text` as a decimal floating point number; too small becomes 0, too large (or no number) is nothing.
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
std::string GeneralNotation(
    const Decimal& decimal);  // 'g': scientific below 1e-4 and from 1e6, as Go with precision -1

}  // namespace smp

#endif  // SMP_VALUE_NUMBER_H_
