#include "explain/changed_texts.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/image_words.h"

namespace smp::explain {

namespace {

using Texts = std::vector<std::string_view>;

constexpr size_t kMostTexts = 200;  // in a list: each is looked for in the other one

std::optional<Texts> TextsIn(const Value& list) {
  if (!list.is_array() || list.size() > kMostTexts) return std::nullopt;
  Texts out;
  for (const Value& item : list.Items()) {
    if (!item.is_string()) return std::nullopt;
    out.push_back(item.AsString());
  }
  return out;
}

// Returns the texts that `others` does not have as often, in order.
Texts Without(const Texts& texts, Texts others) {
  Texts out;
  for (const std::string_view text : texts) {
    const auto same = std::ranges::find(others, text);
    if (same == others.end()) {
      out.push_back(text);
    } else {
      others.erase(same);
    }
  }
  return out;
}

// Returns "--level" and "info" of "--level=info"; nullopt for a text that is no option with a value.
std::optional<std::pair<std::string_view, std::string_view>> OptionOf(std::string_view text) {
  const size_t equals = text.find('=');
  if (!text.starts_with('-') || equals == text.npos || equals + 1 == text.size()) return std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

// Returns what becomes of a text if the other one takes its place: the same option has another value, or the same image another
// tag. "" if the texts have nothing to do with each other.
std::string ChangeOfText(std::string_view before, std::string_view after) {
  const auto old = OptionOf(before), now = OptionOf(after);
  if (!old || !now) return ChangeOfTag(before, after);
  if (old->first != now->first) return {};
  const std::string image = ChangeOfTag(old->second, now->second);
  return image.empty() ? StrCat(old->first, " ", old->second, " → ", now->second) : image;
}

// Takes the text out of `added` that takes the place of `removed`, and says what changes.
std::string TakeChange(std::string_view removed, Texts& added) {
  for (auto text = added.begin(); text != added.end(); ++text) {
    std::string change = ChangeOfText(removed, *text);
    if (change.empty()) continue;
    added.erase(text);
    return change;
  }
  return {};
}

std::vector<std::string> Numbers(size_t added, size_t removed) {
  std::vector<std::string> parts;
  if (added > 0) parts.push_back(StrCat(added, " added"));
  if (removed > 0) parts.push_back(StrCat(removed, " removed"));
  return parts;
}

// A sign would be taken for a part of an option.
std::string_view AfterSign(std::string_view text) { return text.starts_with('-') ? " " : ""; }

std::vector<std::string> Named(const Texts& removed, const Texts& added) {
  std::vector<std::string> out;
  for (const std::string_view text : removed) out.push_back(StrCat("-", AfterSign(text), text));
  for (const std::string_view text : added) out.push_back(StrCat("+", AfterSign(text), text));
  return out;
}

}  // namespace

std::string ChangeOfTexts(const Value& before, const Value& after, size_t longest) {
  const auto old = TextsIn(before), now = TextsIn(after);
  if (!old || !now) return {};
  const Texts all_removed = Without(*old, *now), all_added = Without(*now, *old);
  Texts removed, added = all_added;
  std::vector<std::string> changes;
  for (const std::string_view text : all_removed) {
    std::string change = TakeChange(text, added);
    if (change.empty()) {
      removed.push_back(text);
    } else {
      changes.push_back(std::move(change));
    }
  }
  for (const auto& names : {Named(removed, added), Numbers(added.size(), removed.size())}) {
    std::vector<std::string> parts = changes;
    parts.insert(parts.end(), names.begin(), names.end());
    const std::string out = Join(parts, ", ");
    if (out.size() <= longest && out.find('\n') == out.npos) return out;
  }
  return Join(Numbers(all_added.size(), all_removed.size()), ", ");
}

}  // namespace smp::explain
