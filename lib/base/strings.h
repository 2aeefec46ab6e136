// The few string helpers that C++20 lacks (std::format is not in GCC 12).
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace smp {

namespace strings_internal {
inline void Append(std::string& out, std::string_view piece) { out += piece; }
inline void Append(std::string& out, char piece) { out += piece; }
template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>)
void Append(std::string& out, T piece) {
  out += std::to_string(piece);
}
}  // namespace strings_internal

// Concatenates the pieces (strings, chars, integers).
template <class... Pieces>
std::string StrCat(const Pieces&... pieces) {
  std::string out;
  (strings_internal::Append(out, pieces), ...);
  return out;
}

// Returns "a, b, c" for separator ", ".
template <class Range>
std::string Join(const Range& parts, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& part : parts) {
    if (!first) out += separator;
    first = false;
    out += part;
  }
  return out;
}

inline std::string Spaces(size_t count) { return std::string(count, ' '); }

// Returns the pieces between separators, including empty ones: Split("a,,b", ',') has three. They point into `text`.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Removes leading and trailing spaces, tabs and line ends.
std::string_view Trim(std::string_view text);

std::string ToLower(std::string_view text);  // ASCII only

// Returns those of `texts` that `others` has, too, or those that it has not, in their order.
std::vector<std::string> TextsIn(const std::vector<std::string>& others, const std::vector<std::string>& texts);
std::vector<std::string> TextsNotIn(const std::vector<std::string>& others, const std::vector<std::string>& texts);

// Returns "1 change" or "2 changes".
std::string Counted(size_t count, std::string_view noun);

// Of ASCII, whatever the locale.
inline bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Returns the offset after the quoted string that begins at `at`, in which \ escapes a character; text.size() if it does
// not end.
size_t AfterQuoted(std::string_view text, size_t at);

}  // namespace smp
