#include "base/duration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/strings.h"

namespace smp {
namespace {

constexpr double kMaxMs = 1e13;  // 300 years, the limit of Go's durations

struct Unit {
  std::string_view name;
  double ms;
};
// Longer names first: "ms" also begins with "m".
constexpr Unit kUnits[] = {{"ns", 1e-6}, {"us", 1e-3}, {"µs", 1e-3}, {"μs", 1e-3},
                           {"ms", 1},    {"s", 1e3},   {"m", 6e4},   {"h", 36e5}};

const Unit* TakeUnit(std::string_view& text) {
  for (const Unit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return &unit;
  }
  return nullptr;
}

// Adds up terms such as "1.5h"; returns false if there is anything else.
bool SumOfUnits(std::string_view text, double& ms) {
  if (text.empty()) return false;
  while (!text.empty()) {
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + digits) return false;
    text.remove_prefix(digits);
    const Unit* unit = TakeUnit(text);
    if (unit == nullptr) return false;
    ms += number * unit->ms;
  }
  return true;
}

}  // namespace

Result<int64_t> ParseGoDurationMs(std::string_view text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
  if (number && text != "0") {
    return Error::InvalidArgument(StrCat("time: missing unit in duration \"", text, "\""));
  }
  const Result<int64_t> ms = ParseTimeoutMs(text);
  return ms.ok() ? ms : Error::InvalidArgument(StrCat("time: invalid duration \"", text, "\""));
}

Result<int64_t> ParseTimeoutMs(std::string_view text) {
  const bool seconds = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  double ms = 0;
  if (!SumOfUnits(seconds ? StrCat(text, "s") : std::string(text), ms) || !(ms <= kMaxMs)) {
    return Error::InvalidArgument(StrCat("invalid timeout \"", text,
                                         "\": it must be a single integer in seconds, or an integer followed by a "
                                         "corresponding time unit (e.g. 1s | 2m | 3h)"));
  }
  return static_cast<int64_t>(std::ceil(ms));
}

std::string AgeText(std::chrono::seconds age) {
  namespace chr = std::chrono;
  if (age >= chr::days(1)) return StrCat(chr::floor<chr::days>(age).count(), "d");
  if (age >= chr::hours(1)) return StrCat(chr::floor<chr::hours>(age).count(), "h");
  if (age >= chr::minutes(1)) return StrCat(chr::floor<chr::minutes>(age).count(), "m");
  return StrCat(std::max<int64_t>(age.count(), 0), "s");
}

}  // namespace smp
