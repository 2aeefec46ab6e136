#include "value/name_syntax.h"

#include <algorithm>

#include "base/strings.h"

namespace smp {

namespace {

constexpr size_t kMaxLabel = 63;
constexpr size_t kMaxSubdomain = 253;
constexpr size_t kMaxPortName = 15;

bool IsLowerOrDigit(char c) { return IsLower(c) || IsDigit(c); }

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool IsLabelOfAnyLength(std::string_view text) {
  return !text.empty() && IsLowerOrDigit(text.front()) && IsLowerOrDigit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

}  // namespace

bool IsDnsLabel(std::string_view text) { return text.size() <= kMaxLabel && IsLabelOfAnyLength(text); }

bool IsDns1035Label(std::string_view text) { return IsDnsLabel(text) && IsLower(text.front()); }

bool IsDnsSubdomain(std::string_view text) {
  return text.size() <= kMaxSubdomain && std::ranges::all_of(Split(text, '.'), IsLabelOfAnyLength);
}

bool IsPortName(std::string_view text) {
  return text.size() <= kMaxPortName && IsLabelOfAnyLength(text) && text.find("--") == std::string_view::npos &&
         std::ranges::any_of(text, IsLower);
}

bool IsConfigKey(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; });
  return plain && !text.empty() && text.size() <= kMaxSubdomain && text != "." && !text.starts_with("..");
}

}  // namespace smp
