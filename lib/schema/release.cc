#include "schema/release.h"

#include <charconv>

#include "base/strings.h"

namespace smp {
namespace {

// Removes a number from the front of `text`; returns false if there is none.
bool TakeNumber(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::optional<Release> ParseRelease(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  Release release;
  if (!TakeNumber(version, release.major) || !version.starts_with('.')) return std::nullopt;
  version.remove_prefix(1);
  if (!TakeNumber(version, release.minor)) return std::nullopt;
  const bool ends = version.empty() || version.front() == '.' || version.front() == '+' || version.front() == '-';
  return ends ? std::optional(release) : std::nullopt;
}

std::string ToString(const Release& release) { return StrCat(release.major, ".", release.minor); }

std::optional<Release> ReleaseOf(const Value& document) {
  const Value* info = document.Find("info");
  if (info == nullptr || info->StringOr("title") != "Kubernetes") return std::nullopt;
  return ParseRelease(info->StringOr("version"));
}

}  // namespace smp
