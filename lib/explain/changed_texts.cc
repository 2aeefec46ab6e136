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

std::string ChangeOfValue(std::string_view before, std::string_view after) {
  const std::string image = ChangeOfTag(before, after);
  return image.empty() ? StrCat(before, " → ", after) : image;
}

// Takes the text out of `added` that gives the option of `removed` another value, and says so.
std::optional<std::string> TakeChange(std::string_view removed, Texts& added) {
  const auto option = OptionOf(removed);
  const auto same = std::ranges::find_if(added, [&](std::string_view text) {
    const auto other = OptionOf(text);
    return option && other && other->first == option->first;
  });
  if (same == added.end()) return std::nullopt;
  std::string out = StrCat(option->first, " ", ChangeOfValue(option->second, OptionOf(*same)->second));
  added.erase(same);
  return out;
}

std::string Numbers(size_t added, size_t removed) {
  std::vector<std::string> parts;
  if (added > 0) parts.push_back(StrCat(added, " added"));
  if (removed > 0) parts.push_back(StrCat(removed, " removed"));
  return Join(parts, ", ");
}

// A sign would be taken for a part of an option.
std::string_view AfterSign(std::string_view text) { return text.starts_with('-') ? " " : ""; }

}  // namespace

std::string ChangeOfTexts(const Value& before, const Value& after, size_t longest) {
  const auto old = TextsIn(before), now = TextsIn(after);
  if (!old || !now) return {};
  const Texts removed = Without(*old, *now);
  Texts added = Without(*now, *old);
  const std::string numbers = Numbers(added.size(), removed.size());
  std::vector<std::string> parts;
  for (const std::string_view text : removed) {
    const auto change = TakeChange(text, added);
    parts.push_back(change ? *change : StrCat("-", AfterSign(text), text));
  }
  for (const std::string_view text : added) parts.push_back(StrCat("+", AfterSign(text), text));
  std::string out = Join(parts, ", ");
  const bool one_line = out.find('\n') == out.npos;
  return one_line && out.size() <= longest ? out : numbers;
}

}  // namespace smp::explain
