#include "value/formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "value/base64.h"

namespace smp {

namespace {

// The number rest × 2^twos × 5^fives, where neither 2 nor 5 divides rest, so that each number has one form. Zero is all
// zeros.
struct Factors {
  bool negative = false;
  uint64_t rest = 0;
  int twos = 0;
  int fives = 0;
  friend bool operator==(const Factors&, const Factors&) = default;
};

constexpr int kMostDigits = 19;  // which 64 bits have room for
constexpr int kLargestExponent = 99;

void TimesTenTo(Factors& number, int power) {
  number.twos += power;
  number.fives += power;
}

// Takes digits with at most one point. nullopt if there are no digits, or too many before the zeros at the end.
std::optional<Factors> TakeNumber(std::string_view& text) {
  Factors out;
  int digits = 0, zeros = 0;  // of the zeros, those that were read last, which may be the end
  bool any = false, point = false;
  for (; !text.empty() && (IsDigit(text.front()) || (text.front() == '.' && !point)); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '.') {
      point = true;
      continue;
    }
    any = true;
    if (point) TimesTenTo(out, -1);
    if (c == '0') {
      zeros += out.rest > 0 ? 1 : 0;
      continue;
    }
    digits += zeros + 1;
    if (digits > kMostDigits) return std::nullopt;
    for (; zeros > 0; --zeros) out.rest *= 10;
    out.rest = out.rest * 10 + static_cast<unsigned>(c - '0');
  }
  TimesTenTo(out, zeros);
  return any ? std::optional(out) : std::nullopt;
}

// Returns true for a minus.
bool TakeSign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// Returns true for "e3" and "E-3", and takes the letter.
bool TakeExponent(std::string_view& suffix) {
  if (!suffix.starts_with('e') && !suffix.starts_with('E')) return false;
  suffix.remove_prefix(1);
  std::string_view digits = suffix;
  TakeSign(digits);
  return !digits.empty() && digits.size() <= kMostDigits && std::ranges::all_of(digits, IsDigit);
}

// Parses "e3" or "E-3". nullopt if it is not an exponent, or larger than any that means something.
std::optional<int> ExponentOf(std::string_view suffix) {
  if (!TakeExponent(suffix)) return std::nullopt;
  const bool negative = TakeSign(suffix);
  int out = 0;
  for (const char c : suffix) {
    if (out > kLargestExponent) return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return negative ? -out : out;
}

bool Scale(Factors& number, std::string_view suffix) {
  static constexpr std::array<std::pair<std::string_view, int>, 10> kPowersOfTen = {
      {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
  static constexpr std::array<std::pair<std::string_view, int>, 6> kPowersOfTwo = {
      {{"Ki", 10}, {"Mi", 20}, {"Gi", 30}, {"Ti", 40}, {"Pi", 50}, {"Ei", 60}}};
  for (const auto& [name, power] : kPowersOfTwo) {
    if (name != suffix) continue;
    number.twos += power;
    return true;
  }
  for (const auto& [name, power] : kPowersOfTen) {
    if (name != suffix) continue;
    TimesTenTo(number, power);
    return true;
  }
  const std::optional<int> exponent = ExponentOf(suffix);
  if (exponent) TimesTenTo(number, *exponent);
  return exponent.has_value();
}

void Normalise(Factors& number) {
  if (number.rest == 0) {
    number = {};
    return;
  }
  for (; number.rest % 2 == 0; ++number.twos) number.rest /= 2;
  for (; number.rest % 5 == 0; ++number.fives) number.rest /= 5;
}

int PowerOfTen(Finest finest) { return finest == Finest::kMilli ? -3 : -9; }

// Returns how many times 10^power the number is, rounded up. REQUIRES: it was made from kMostDigits digits, so that no product
// exceeds 128 bits.
std::optional<uint64_t> CountUp(const Factors& number, int power) {
  __extension__ using Wide = unsigned __int128;
  Wide count = number.rest;
  int twos = number.twos - power, fives = number.fives - power;
  for (; twos > 0; --twos) count *= 2;
  for (; fives > 0; --fives) count *= 5;
  for (; twos < 0 && count > 1; ++twos) count = (count + 1) / 2;
  for (; fives < 0 && count > 1; ++fives) count = (count + 4) / 5;
  return count > UINT64_MAX ? std::nullopt : std::optional(static_cast<uint64_t>(count));
}

// Returns the number rounded away from zero to a multiple of 10^power; nullopt if that has too many digits.
std::optional<Factors> Rounded(const Factors& number, int power) {
  if (number.rest == 0 || std::min(number.twos, number.fives) >= power) return number;
  const std::optional<uint64_t> count = CountUp(number, power);
  if (!count) return std::nullopt;
  Factors out{number.negative, *count, power, power};
  Normalise(out);
  return out;
}

long double ToNumber(const Factors& number) {
  const long double out =
      static_cast<long double>(number.rest) * std::pow(2.0L, number.twos) * std::pow(5.0L, number.fives);
  return number.negative ? -out : out;
}

// The server reads any quantity with a binary suffix that is larger than an int64 as the largest int64.
void Cap(Factors& number) {
  constexpr uint64_t kMost = INT64_MAX;
  if (std::fabs(ToNumber(number)) < static_cast<long double>(kMost)) return;
  number = {number.negative, kMost, 0, 0};
}

// The server takes the spaces around a quantity away.
std::string_view WithoutSpacesAround(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::optional<Factors> ParseQuantity(std::string_view text, Finest finest) {
  text = WithoutSpacesAround(text);
  const bool negative = TakeSign(text);
  std::optional<Factors> number = TakeNumber(text);
  if (!number || !Scale(*number, text)) return std::nullopt;
  number->negative = negative;
  if (text.ends_with('i')) Cap(*number);
  Normalise(*number);
  return Rounded(*number, PowerOfTen(finest));
}

template <class Parsed>
bool Same(const std::optional<Parsed>& a, const std::optional<Parsed>& b) {
  return a.has_value() && a == b;
}

}  // namespace

bool SameQuantity(std::string_view a, std::string_view b, Finest finest) {
  return (a == b && IsQuantity(a)) || Same(ParseQuantity(a, finest), ParseQuantity(b, finest));
}

bool IsMoreThan(std::string_view a, std::string_view b) {
  constexpr long double kSurely = 1e-9L;
  const auto x = ParseQuantity(a, Finest::kNano), y = ParseQuantity(b, Finest::kNano);
  if (!x || !y) return false;
  const long double more = ToNumber(*x), less = ToNumber(*y);
  return more - less > kSurely * std::max(std::fabs(more), std::fabs(less));
}

bool IsQuantity(std::string_view text) {
  text = WithoutSpacesAround(text);
  TakeSign(text);
  const size_t number = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view digits = text.substr(0, number);
  std::string_view suffix = text.substr(number);
  Factors any;
  return digits.find_first_not_of('.') != digits.npos && std::ranges::count(digits, '.') <= 1 &&
         (Scale(any, suffix) || TakeExponent(suffix));
}

bool SameTime(std::string_view a, std::string_view b) { return Same(ParseRfc3339(a), ParseRfc3339(b)); }

bool SameBase64(std::string_view a, std::string_view b) { return Same(DecodeBase64(a), DecodeBase64(b)); }

}  // namespace smp
