#include "edit/text_changes.h"

#include <algorithm>

namespace smp::edit {

void TextChanges::Replace(size_t begin, size_t end, std::string_view text) {
  if (begin < end || !text.empty()) changes_.push_back({begin, end, std::string(text)});
}

bool TextChanges::Inserts(size_t from) const {
  return std::any_of(changes_.begin(), changes_.end(),
                     [&](const Change& change) { return change.begin >= from && !change.text.empty(); });
}

bool TextChanges::Removes(size_t at) const {
  return std::any_of(changes_.begin(), changes_.end(),
                     [&](const Change& change) { return change.begin <= at && at < change.end; });
}

std::string TextChanges::AppliedTo(std::string_view text) {
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const Change& a, const Change& b) { return a.begin < b.begin; });
  std::string out;
  size_t at = 0;
  for (const Change& change : changes_) {
    if (change.begin > at) out += text.substr(at, change.begin - at);
    out += change.text;
    at = std::max(at, change.end);
  }
  return out.append(text.substr(std::min(at, text.size())));
}

}  // namespace smp::edit
