#include "base/strings.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace smp {

namespace {

std::vector<std::string> Select(const std::vector<std::string>& others, const std::vector<std::string>& texts,
                                bool has) {
  const std::set<std::string_view> known(others.begin(), others.end());
  std::vector<std::string> out;
  std::ranges::copy_if(texts, std::back_inserter(out),
                       [&](const std::string& text) { return known.contains(text) == has; });
  return out;
}

}  // namespace

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  size_t start = 0;
  for (size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, start)) {
    pieces.push_back(text.substr(start, at - start));
    start = at + 1;
  }
  pieces.push_back(text.substr(start));
  return pieces;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string Counted(size_t count, std::string_view noun) { return StrCat(count, " ", noun, count == 1 ? "" : "s"); }

std::string ToLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string> TextsIn(const std::vector<std::string>& others, const std::vector<std::string>& texts) {
  return Select(others, texts, true);
}

std::vector<std::string> TextsNotIn(const std::vector<std::string>& others, const std::vector<std::string>& texts) {
  return Select(others, texts, false);
}

size_t AfterQuoted(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

}  // namespace smp
