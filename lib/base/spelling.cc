#include "base/spelling.h"

#include <algorithm>
#include <numeric>

#include "base/strings.h"

namespace smp {

namespace {

constexpr size_t kMostEdits = 2;

// Levenshtein distance, one row of the table at a time.
size_t Edits(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> SpelledLike(std::string_view typed, const std::vector<std::string>& known) {
  if (typed.empty() || typed.size() > 100) return {};  // too long for any known word
  const std::string wanted = ToLower(typed);
  std::vector<std::pair<size_t, std::string>> likely;
  for (const std::string& word : known) {
    const size_t edits = ToLower(word).starts_with(wanted) ? 0 : Edits(wanted, ToLower(word));
    if (edits <= kMostEdits) likely.emplace_back(edits, word);
  }
  std::stable_sort(likely.begin(), likely.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [edits, word] : likely) out.push_back(std::move(word));
  return out;
}

}  // namespace smp
