#include "value/formats.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include "value/base64.h"

namespace smp {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The number rest × 2^twos × 5^fives, where neither 2 nor 5 divides rest, so that each number has one form. Zero is all
// zeros.
struct Factors {
  bool negative = false;
  uint64_t rest = 0;
  int twos = 0;
  int fives = 0;
  friend bool operator==(const Factors&, const Factors&) = default;
};

constexpr int kMostDigits = 18;
constexpr int kFinest = -9;  // power of ten; the server rounds anything finer
constexpr int kLargestExponent = 99;

void TimesTenTo(Factors& number, int power) {
  number.twos += power;
  number.fives += power;
}

// Takes digits with at most one point. nullopt if there are no digits, or too many.
std::optional<Factors> TakeNumber(std::string_view& text) {
  Factors out;
  int digits = 0;
  bool any = false, point = false;
  for (; !text.empty() && (IsDigit(text.front()) || (text.front() == '.' && !point)); text.remove_prefix(1)) {
    if (text.front() == '.') {
      point = true;
      continue;
    }
    any = true;
    digits += digits > 0 || text.front() != '0' ? 1 : 0;
    if (digits > kMostDigits) return std::nullopt;
    out.rest = out.rest * 10 + static_cast<unsigned>(text.front() - '0');
    if (point) TimesTenTo(out, -1);
  }
  return any ? std::optional(out) : std::nullopt;
}

// Parses "e3" or "E-3". nullopt if it is not an exponent.
std::optional<int> ExponentOf(std::string_view suffix) {
  suffix.remove_prefix(1);
  const bool negative = suffix.starts_with('-');
  if (negative || suffix.starts_with('+')) suffix.remove_prefix(1);
  if (suffix.empty()) return std::nullopt;
  int out = 0;
  for (const char c : suffix) {
    if (!IsDigit(c) || out > kLargestExponent) return std::nullopt;
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
  if (suffix.front() != 'e' && suffix.front() != 'E') return false;
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

std::optional<Factors> ParseQuantity(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::optional<Factors> number = TakeNumber(text);
  if (!number || !Scale(*number, text)) return std::nullopt;
  number->negative = negative;
  Normalise(*number);
  return std::min(number->twos, number->fives) < kFinest ? std::nullopt : number;
}

struct Time {
  int64_t seconds = 0;
  std::string fraction = {};  // digits without trailing zeros
  friend bool operator==(const Time&, const Time&) = default;
};

// Takes a number of `digits` digits, followed by `after`. nullopt if the text begins with anything else.
std::optional<int> TakeField(std::string_view& text, size_t digits, std::string_view after) {
  if (text.size() < digits + after.size() || text.substr(digits, after.size()) != after) return std::nullopt;
  int out = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (!IsDigit(text[i])) return std::nullopt;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits + after.size());
  return out;
}

std::optional<int> TakeOffset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = TakeField(text, 2, ":"), minutes = TakeField(text, 2, "");
  if (!hours || !minutes) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

std::string TakeFraction(std::string_view& text) {
  if (!text.starts_with('.')) return {};
  size_t end = 1;
  while (end < text.size() && IsDigit(text[end])) ++end;
  std::string out(text.substr(1, end - 1));
  text.remove_prefix(end);
  out.erase(out.find_last_not_of('0') + 1);
  return out;
}

std::optional<Time> ParseTime(std::string_view text) {
  static constexpr std::array<std::pair<size_t, std::string_view>, 6> kFields = {
      {{4, "-"}, {2, "-"}, {2, "T"}, {2, ":"}, {2, ":"}, {2, ""}}};
  std::array<int, 6> values = {};
  for (size_t i = 0; i < kFields.size(); ++i) {
    const auto field = TakeField(text, kFields[i].first, kFields[i].second);
    if (!field) return std::nullopt;
    values[i] = *field;
  }
  const auto [year, month, day, hour, minute, second] = values;
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  Time out;
  out.fraction = TakeFraction(text);
  const auto offset = TakeOffset(text);
  if (!offset) return std::nullopt;
  out.seconds =
      std::chrono::sys_days(date).time_since_epoch().count() * 86400LL + hour * 3600 + minute * 60 + second - *offset;
  return out;
}

template <class Parsed>
bool Same(const std::optional<Parsed>& a, const std::optional<Parsed>& b) {
  return a.has_value() && a == b;
}

}  // namespace

bool SameQuantity(std::string_view a, std::string_view b) { return Same(ParseQuantity(a), ParseQuantity(b)); }

bool SameTime(std::string_view a, std::string_view b) { return Same(ParseTime(a), ParseTime(b)); }

bool SameBase64(std::string_view a, std::string_view b) { return Same(DecodeBase64(a), DecodeBase64(b)); }

}  // namespace smp
