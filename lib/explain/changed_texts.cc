#include "explain/changed_texts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_diff.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_words.h"
#include "explain/danger.h"
#include "explain/image_words.h"
#include "value/at.h"

namespace smp::explain {

namespace {

using Texts = std::vector<std::string_view>;

constexpr size_t kMostTexts = 200;  // in a list: each is looked for in the other one

// Leaves out what follows an option such as --password.
std::optional<Texts> TextsIn(const Value& list) {
  if (!list.is_array() || list.size() > kMostTexts) return std::nullopt;
  Texts out;
  bool is_password = false;
  for (const Value& item : list.Items()) {
    if (!item.is_string()) return std::nullopt;
    const std::string_view text = item.AsString();
    if (!is_password || text.starts_with('-')) out.push_back(text);
    is_password = text.starts_with('-') && text.find('=') == text.npos && NamesPassword(text);
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
  if (NamesPassword(old->first)) return StrCat(old->first, " (another value)");
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

// `back`: somebody had removed what is added.
std::vector<std::string> Numbers(size_t added, size_t removed, bool back) {
  std::vector<std::string> parts;
  if (added > 0) parts.push_back(StrCat(added, !back ? " added" : added == 1 ? " comes back" : " come back"));
  if (removed > 0) parts.push_back(StrCat(removed, " removed"));
  return parts;
}

// Of an option, a word instead of a sign, which would be taken for a part of it.
std::string WithSign(char sign, std::string_view text) {
  if (!text.starts_with('-')) return StrCat(std::string(1, sign), text);
  return StrCat(sign == '-' ? "drop " : "add ", text);
}

// A dash would be taken for a sign.
std::string Quoted(std::string_view text) {
  return text.starts_with('-') ? StrCat("\"", text, "\"") : std::string(text);
}

std::string_view WithoutPassword(std::string_view text) {
  const auto option = OptionOf(text);
  return option && NamesPassword(option->first) ? option->first : text;
}

std::vector<std::string> Named(const Texts& removed, const Texts& added) {
  std::vector<std::string> out;
  for (const std::string_view text : removed) out.push_back(WithSign('-', WithoutPassword(text)));
  for (const std::string_view text : added) out.push_back(WithSign('+', WithoutPassword(text)));
  return out;
}

// Returns the names of options without their values; `numbers`, if other texts are among them.
std::vector<std::string> OnlyOptions(const Texts& removed, const Texts& added,
                                     const std::vector<std::string>& numbers) {
  const auto names = [](const Texts& texts) {
    Texts out;
    for (const std::string_view text : texts) {
      if (text.starts_with('-')) out.push_back(text.substr(0, text.find('=')));
    }
    return out;
  };
  const Texts gone = names(removed), come = names(added);
  const bool all = gone.size() == removed.size() && come.size() == added.size();
  return all ? Named(gone, come) : numbers;
}

// Returns true for "--debug" and "--port=1": neither is the other one's former value.
bool AreOtherOptions(std::string_view one, std::string_view other) {
  const auto name = [](std::string_view text) { return text.substr(0, text.find_first_of("= ")); };
  return one.starts_with('-') && other.starts_with('-') && name(one) != name(other);
}

// Returns "add --level, add --port and 5 more", of what was removed first; empty for few.
std::vector<std::string> SomeOf(const std::vector<std::string>& names) {
  constexpr size_t kMost = 2;
  return names.size() <= kMost + 1 ? std::vector<std::string>() : std::vector{NameSome(names, kMost)};
}

// Returns "--level info → debug, 3 added, 2 removed": those of the changes that fit, and how many texts else come and go.
std::string SomeAndNumbers(const std::vector<std::string>& changes, size_t added, size_t removed, size_t longest) {
  std::vector<std::string> shown;
  size_t left = changes.size();
  const auto with_numbers = [&](std::vector<std::string> parts, size_t more) {
    for (std::string& number : Numbers(added + more, removed + more, false)) parts.push_back(std::move(number));
    return Join(parts, ", ");
  };
  for (const std::string& change : changes) {
    std::vector<std::string> tried = shown;
    tried.push_back(change);
    const std::string out = with_numbers(tried, left - 1);
    if (out.size() > longest || out.find('\n') != out.npos) continue;
    shown = std::move(tried);
    --left;
  }
  return with_numbers(std::move(shown), left);
}

}  // namespace

std::string ChangeOfTexts(const Value& before, const Value& after, size_t longest, const Value* applied) {
  const auto old = TextsIn(before), now = TextsIn(after), last = applied == nullptr ? Texts() : TextsIn(*applied);
  if (!old || !now || !last) return {};
  const Texts all_removed = Without(Without(*old, *now), *last);
  Texts removed, added = Without(*now, *old);
  std::vector<std::string> changes;
  for (const std::string_view text : all_removed) {
    std::string change = TakeChange(text, added);
    if (change.empty()) {
      removed.push_back(text);
    } else {
      changes.push_back(std::move(change));
    }
  }
  const bool is_pair = removed.size() == 1 && added.size() == 1 && Without(*old, *now).size() == 1 &&
                       !AreOtherOptions(removed.front(), added.front());
  if (applied != nullptr && is_pair && !NamesPassword(removed.front())) {
    changes.push_back(StrCat(Quoted(removed.front()), " → ", Quoted(added.front())));
    removed.clear();
    added.clear();
  }
  if (applied != nullptr) added = Without(added, Without(added, *last));
  const auto is_secret = [](std::string_view text) { return text.find(' ') != text.npos && MentionsPassword(text); };
  const bool secret = std::ranges::any_of(removed, is_secret) || std::ranges::any_of(added, is_secret);
  const std::vector<std::string> numbers = Numbers(added.size(), removed.size(), applied != nullptr);
  std::vector<std::vector<std::string>> ways = {numbers};
  if (!secret) {
    const std::vector<std::string> options = OnlyOptions(removed, added, numbers);
    ways.insert(ways.begin(), {Named(removed, added), options});
    if (const auto some = SomeOf(options); applied != nullptr && !some.empty()) ways.insert(ways.end() - 1, some);
  }
  for (const std::vector<std::string>& names : ways) {
    std::vector<std::string> parts = changes;
    parts.insert(parts.end(), names.begin(), names.end());
    const std::string out = Join(parts, ", ");
    if (out.size() <= longest && out.find('\n') == out.npos) return out;
  }
  return SomeAndNumbers(changes, added.size(), removed.size(), longest);
}

std::string ChangeWithinLine(std::string_view before, std::string_view after) {
  const ChangedWords words = DiffWords(before, after);
  if (words.before.size() != 1) return {};
  const auto [begin, end] = words.before.front();
  const auto [begin_after, end_after] = words.after.front();
  const auto without_commas = [](std::string_view text) {
    text = Trim(text);
    while (text.starts_with(',')) text = Trim(text.substr(1));
    while (text.ends_with(',')) text = Trim(text.substr(0, text.size() - 1));
    return text;
  };
  const std::string_view old = without_commas(before.substr(begin, end - begin)),
                         now = without_commas(after.substr(begin_after, end_after - begin_after));
  if (old.empty() || now.empty()) return old == now ? "" : StrCat(old.empty() ? "+ " : "- ", old, now);
  return StrCat(old, " → ", now);
}

namespace {

constexpr size_t kLongestHead = 24;  // bytes before words that come or go

// Returns "worker_processes 1 → 4" of two lines that differ in some words next to each other, "plugins + shovel" where words come or
// go; "" of others.
std::string ChangeOfLine(std::string_view before, std::string_view after) {
  const ChangedWords words = DiffWords(before, after);
  if (words.before.size() != 1 || Trim(before) == Trim(after)) return {};
  auto [begin, end] = words.before.front();
  auto [begin_after, end_after] = words.after.front();
  const auto is_quoted = [](std::string_view text, size_t from, size_t to) {
    return from > 0 && to < text.size() && text[from - 1] == '"' && text[to] == '"';
  };
  if (is_quoted(before, begin, end) && is_quoted(after, begin_after, end_after)) {
    --begin, ++end, --begin_after, ++end_after;
  }
  const std::string_view head = before.substr(0, begin), old = before.substr(begin, end - begin),
                         now = after.substr(begin_after, end_after - begin_after);
  if (!old.empty() && !now.empty()) return std::string(Trim(StrCat(head, old, " → ", now)));
  const std::string_view name = Trim(head);
  const std::string change = ChangeWithinLine(before, after);
  return name.size() <= kLongestHead ? StrCat(name, " ", change) : change;
}

}  // namespace

namespace {

// Returns the first line that says something: "type": "bandwidth" rather than a bracket.
std::string_view FirstWithLetters(const Texts& lines) {
  const auto has_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const std::string_view line : lines) {
    if (std::ranges::any_of(line, has_letter)) return Trim(line);
  }
  return {};
}

std::string CountedLines(size_t added, size_t removed) {
  std::vector<std::string> parts;
  if (added > 0) parts.push_back(StrCat("+", added));
  if (removed > 0) parts.push_back(StrCat("-", removed));
  return StrCat(Join(parts, " "), added + removed == 1 ? " line" : " lines");
}

std::string OneLineInWords(const Texts& removed, const Texts& added) {
  if (removed.size() == 1 && added.size() == 1) return ChangeOfLine(removed.front(), added.front());
  if (removed.empty() && added.size() == 1) return StrCat("+ ", Trim(added.front()));
  return added.empty() && removed.size() == 1 ? StrCat("- ", Trim(removed.front())) : "";
}

}  // namespace

std::string ChangeOfLines(std::string_view before, std::string_view after, size_t longest) {
  const Texts old = Split(before, '\n'), now = Split(after, '\n');
  Texts removed, added;
  for (const LineEdit& edit : DiffLines(old, now)) {
    if (edit.kind == LineEdit::Kind::kRemove) removed.push_back(old[edit.before]);
    if (edit.kind == LineEdit::Kind::kAdd) added.push_back(now[edit.after]);
  }
  if (removed.empty() && added.empty()) return {};
  const std::string count = CountedLines(added.size(), removed.size());
  std::vector<std::string> ways;
  if (std::ranges::none_of(removed, MentionsPassword) && std::ranges::none_of(added, MentionsPassword)) {
    ways.push_back(OneLineInWords(removed, added));
    if (removed.size() == 1 && added.size() == 1) ways.push_back(ChangeWithinLine(removed.front(), added.front()));
  }
  if (removed.empty() != added.empty() && removed.size() + added.size() > 1) {
    const std::string_view first = FirstWithLetters(removed.empty() ? added : removed);
    if (!first.empty() && !MentionsPassword(first)) ways.push_back(StrCat(count, ": ", first, " …"));
  }
  const auto fits = [&](const std::string& way) { return way.size() > 2 && way.size() <= longest; };
  const auto way = std::ranges::find_if(ways, fits);
  return way == ways.end() ? count : *way;
}

namespace {

// Returns true for an empty line and for a comment.
bool SaysNothing(std::string_view line) { return Trim(line).empty() || Trim(line).starts_with('#'); }

// Returns what becomes of a line if the other one takes its place: "worker_processes 8 → 2". "" if they begin with different words.
std::string ChangeOfPair(std::string_view before, std::string_view after) {
  const ChangedWords words = DiffWords(before, after);
  const bool same_head = !words.before.empty() && !Trim(before.substr(0, words.before.front().begin)).empty();
  return same_head ? ChangeOfLine(before, after) : "";
}

// Collects the lines that undo a change of live, a run of changed lines at a time.
class UndoneLines {
 public:
  UndoneLines(const Texts& live, const Texts& applied)
      : live_(live.begin(), live.end()), applied_(applied.begin(), applied.end()) {}

  // Lines are pairs if as many are removed as are added.
  void AddRun(const Texts& removed, const Texts& added) {
    const bool are_pairs = removed.size() == added.size();
    std::set<size_t> told;  // of the added ones
    for (size_t i = 0; i < removed.size(); ++i) {
      if (applied_.contains(removed[i])) continue;
      const std::string change = are_pairs ? ChangeOfPair(removed[i], added[i]) : "";
      if (!change.empty()) told.insert(i);
      words_.push_back(change.empty() ? StrCat("- ", Trim(removed[i])) : change);
      ++removed_;
    }
    for (size_t i = 0; i < added.size(); ++i) {
      const bool is_back = applied_.contains(added[i]) && !live_.contains(added[i]);
      if (is_back && !told.contains(i)) words_.push_back(StrCat("+ ", Trim(added[i])));
      added_ += is_back || told.contains(i) ? 1 : 0;
    }
  }

  // Values that change say more than lines that go, and addresses more than other values.
  std::string Words(size_t longest) const {
    if (words_.empty()) return {};
    std::vector<std::string> shown = EachOnce(words_);
    const size_t all = shown.size();
    std::erase_if(shown, [](const std::string& words) { return MentionsPassword(words); });
    std::ranges::stable_partition(shown, [](const std::string& words) { return words.find(" → ") != words.npos; });
    std::ranges::stable_partition(shown, HasUrl);
    for (size_t most = std::min<size_t>(shown.size(), 4); most > 0; --most) {
      shown.resize(most);
      const size_t more = all - most;
      const std::string out = StrCat(Join(shown, ", "), more == 0 ? "" : StrCat(" and ", more, " more"));
      if (out.size() <= longest) return out;
    }
    return CountedLines(added_, removed_);
  }

 private:
  // Returns each once: "- deny 10.0.0.0/8 (3 times)".
  static std::vector<std::string> EachOnce(const std::vector<std::string>& words) {
    std::map<std::string_view, size_t> counts;
    for (const std::string& one : words) ++counts[one];
    std::vector<std::string> out;
    for (const std::string& one : words) {
      const size_t count = std::exchange(counts[one], 0);
      if (count > 0) out.push_back(StrCat(one, count > 1 ? StrCat(" (", count, " times)") : ""));
    }
    return out;
  }

  std::set<std::string_view> live_, applied_;
  std::vector<std::string> words_;
  size_t added_ = 0, removed_ = 0;
};

}  // namespace

std::string ChangeOfLinesUndone(std::string_view live, std::string_view after, std::string_view applied,
                                size_t longest) {
  const Texts old = Split(live, '\n'), now = Split(after, '\n');
  UndoneLines undone(old, Split(applied, '\n'));
  Texts removed, added;
  for (const LineEdit& edit : DiffLines(old, now)) {
    if (edit.kind == LineEdit::Kind::kRemove && !SaysNothing(old[edit.before])) removed.push_back(old[edit.before]);
    if (edit.kind == LineEdit::Kind::kAdd && !SaysNothing(now[edit.after])) added.push_back(now[edit.after]);
    if (edit.kind != LineEdit::Kind::kKeep) continue;
    undone.AddRun(removed, added);
    removed.clear();
    added.clear();
  }
  undone.AddRun(removed, added);
  return undone.Words(longest);
}

namespace {

// Returns "dedicated=gpu:NoSchedule" or, without a key, "all taints".
std::string TolerationInWords(const Value& toleration) {
  const std::string_view key = TextAt(toleration, {"key"}), effect = TextAt(toleration, {"effect"});
  const std::string_view value = TextAt(toleration, {"value"});
  const int64_t seconds = IntAt(toleration, {"tolerationSeconds"}, -1);
  const std::string_view how = TextAt(toleration, {"operator"});
  const std::string_view sign = value.empty() ? "" : how == "Gt" ? ">" : how == "Lt" ? "<" : "=";
  return StrCat(key.empty() ? "all taints" : key, sign, value, effect.empty() ? "" : ":", effect,
                seconds < 0 ? "" : StrCat(" for ", seconds, "s"));
}

std::vector<std::string> TolerationsInWords(const Value& list) {
  std::vector<std::string> out;
  for (const Value& toleration : ItemsAt(list, {})) out.push_back(TolerationInWords(toleration));
  return out;
}

}  // namespace

std::string ChangeOfTolerations(const Value& before, const Value& after) {
  constexpr size_t kMost = 3;
  const std::vector<std::string> old = TolerationsInWords(before), now = TolerationsInWords(after);
  std::vector<std::string> words;
  for (const std::string& gone : TextsNotIn(now, old)) words.push_back(StrCat("-", gone));
  for (const std::string& added : TextsNotIn(old, now)) words.push_back(StrCat("+", added));
  return NameSome(std::move(words), kMost);
}

}  // namespace smp::explain
