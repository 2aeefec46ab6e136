#include "base/rfc3339.h"

#include <algorithm>
#include <charconv>

namespace smp {

namespace {

namespace chr = std::chrono;

constexpr std::string_view kDigits = "0123456789";

// Takes a number of `digits` digits, and `after`.
std::optional<int> TakeNumber(std::string_view& text, size_t digits, std::string_view after) {
  if (text.size() < digits || text.substr(0, digits).find_first_not_of(kDigits) != text.npos) return std::nullopt;
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + digits, number);
  text.remove_prefix(digits);
  if (!text.starts_with(after)) return std::nullopt;
  text.remove_prefix(after.size());
  return number;
}

std::string TakeFraction(std::string_view& text) {
  if (!text.starts_with('.')) return {};
  const size_t end = std::min(text.find_first_not_of(kDigits, 1), text.size());
  std::string out(text.substr(1, end - 1));
  text.remove_prefix(end);
  return out.erase(out.find_last_not_of('0') + 1);
}

// "Z", "+01:00" or "-01:00".
std::optional<chr::minutes> OffsetFromUtc(std::string_view text) {
  if (text == "Z") return chr::minutes(0);
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const std::optional<int> hours = TakeNumber(text, 2, ":");
  const std::optional<int> minutes = TakeNumber(text, 2, "");
  if (!hours || !minutes || !text.empty() || *hours > 23 || *minutes > 59) return std::nullopt;
  return chr::minutes(sign * (*hours * 60 + *minutes));
}

}  // namespace

std::optional<UtcTime> ParseRfc3339(std::string_view text) {
  const std::optional<int> year = TakeNumber(text, 4, "-");
  const std::optional<int> month = TakeNumber(text, 2, "-");
  const std::optional<int> day = TakeNumber(text, 2, "T");
  const std::optional<int> hour = TakeNumber(text, 2, ":");
  const std::optional<int> minute = TakeNumber(text, 2, ":");
  const std::optional<int> second = TakeNumber(text, 2, "");
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  std::string fraction = TakeFraction(text);
  const std::optional<chr::minutes> offset = OffsetFromUtc(text);
  const chr::year_month_day date(chr::year(*year), chr::month(static_cast<unsigned>(*month)),
                                 chr::day(static_cast<unsigned>(*day)));
  if (!offset || !date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const chr::sys_seconds day_begin = chr::sys_days(date);
  return UtcTime{day_begin + chr::hours(*hour) + chr::minutes(*minute) + chr::seconds(*second) - *offset,
                 std::move(fraction)};
}

}  // namespace smp
