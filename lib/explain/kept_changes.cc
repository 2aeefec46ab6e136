#include "explain/kept_changes.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_diff.h"
#include "base/strings.h"
#include "explain/inner_changes.h"
#include "explain/nested_changes.h"
#include "explain/one_line.h"
#include "smp/sides.h"

namespace smp::explain {

namespace {

// --- lines

using Lines = std::vector<std::string_view>;
using SomeLines = std::span<const std::string_view>;
using Places = std::vector<std::optional<size_t>>;

// Of equal lines, which of them came or went is a matter of choice: takes the first one as kept, so that two texts with the same change
// have the same places.
void TakeFirstOfEqual(const Lines& before, const Lines& after, Places& places) {
  size_t next = 0, gone = 0;  // the first line of `after`, and of `before`, behind the last that is kept
  for (size_t i = 0; i < before.size(); ++i) {
    if (!places[i]) continue;
    while (next < *places[i] && after[next] != before[i]) ++next;
    places[i] = next++;
    while (gone < i && before[gone] != before[i]) ++gone;
    if (gone < i) std::swap(places[gone], places[i]);
    ++gone;
  }
}

// Returns for each line of `before` its place in `after`; nullopt if it goes.
Places PlacesIn(const Lines& after, const Lines& before) {
  Places out(before.size());
  for (const LineEdit& edit : DiffLines(before, after)) {
    if (edit.kind == LineEdit::Kind::kKeep) out[edit.before] = edit.after;
  }
  TakeFirstOfEqual(before, after, out);
  return out;
}

// Returns true for "}", "fi" and blank lines, which may be those of anything else.
bool SaysNothingAlone(std::string_view line) {
  constexpr size_t kLongest = 4;
  return Trim(line).size() <= kLongest;
}

// Returns true if lines that all three have otherwise keep what live changed: what it got in place of others is there as it is, and what
// it lost is not, in no other form either, which a line more may be. `all_of_live`: the lines of the whole text.
bool KeepsChangedLines(SomeLines applied, SomeLines live, SomeLines now,
                       const std::set<std::string_view>& all_of_live) {
  const size_t shorter = std::min(applied.size(), live.size());
  size_t begin = 0, end = 0;
  while (begin < shorter && applied[begin] == live[begin]) ++begin;
  while (begin + end < shorter && applied[applied.size() - 1 - end] == live[live.size() - 1 - end]) ++end;
  const SomeLines came = live.subspan(begin, live.size() - begin - end);
  const SomeLines went = applied.subspan(begin, applied.size() - begin - end);
  const bool has_no_more = now.size() <= live.size();
  if (!came.empty()) {
    return !std::ranges::search(now, came).empty() && (went.size() <= came.size() || has_no_more);
  }
  const auto is_there = [&](std::string_view line) { return SaysNothingAlone(line) && all_of_live.contains(line); };
  return has_no_more || std::ranges::all_of(went, is_there);
}

// Merges live's changes with what `now` has (diff3: between lines that all three have, each side is compared), which must change
// nothing.
bool KeepsLines(const Lines& applied, const Lines& live, const Lines& now) {
  const std::set<std::string_view> there(live.begin(), live.end()), before(applied.begin(), applied.end());
  const auto comes_back = [&](std::string_view line) { return before.contains(line) && !there.contains(line); };
  if (std::ranges::any_of(now, comes_back)) return false;
  const Places in_live = PlacesIn(live, applied), in_now = PlacesIn(now, applied);
  size_t a = 0, l = 0, n = 0;
  for (size_t i = 0; i <= applied.size(); ++i) {
    const bool is_end = i == applied.size();
    if (!is_end && (!in_live[i] || !in_now[i])) continue;
    const size_t l_end = is_end ? live.size() : *in_live[i], n_end = is_end ? now.size() : *in_now[i];
    const SomeLines old = SomeLines(applied).subspan(a, i - a), theirs = SomeLines(live).subspan(l, l_end - l),
                    ours = SomeLines(now).subspan(n, n_end - n);
    const bool same = std::ranges::equal(theirs, old) || std::ranges::equal(theirs, ours);
    if (!same && (std::ranges::equal(ours, old) || !KeepsChangedLines(old, theirs, ours, there))) return false;
    a = i + 1, l = l_end + 1, n = n_end + 1;
  }
  return true;
}

// --- values

bool IsArray(const Value* value) { return value != nullptr && value->is_array(); }

std::span<const Value> ItemsOf(const Value* list) { return IsArray(list) ? list->Items() : std::span<const Value>(); }

// Returns each item in a line. `store` has the texts.
Lines LinesOf(std::span<const Value> items, std::deque<std::string>& store) {
  Lines out;
  for (const Value& item : items) out.push_back(store.emplace_back(OneLine(item)));
  return out;
}

using ByName = std::map<std::string_view, const Value*>;

ByName Named(std::span<const Value> items, std::string_view field) {
  ByName out;
  for (const Value& item : items) out.emplace(item.StringOr(field), &item);
  return out;
}

// Returns the names that `others` have, too, in the order of the items.
Lines NamesInBoth(std::span<const Value> items, const ByName& others, std::string_view field) {
  Lines out;
  for (const Value& item : items) {
    if (const std::string_view name = item.StringOr(field); others.contains(name)) out.push_back(name);
  }
  return out;
}

const Value* Find(const ByName& items, std::string_view name) {
  const auto at = items.find(name);
  return at == items.end() ? nullptr : at->second;
}

// Returns the field that names the items of all three lists; "" if there is none.
std::string_view NameOfAll(std::span<const Value> applied, std::span<const Value> live, std::span<const Value> now) {
  const auto are_maps = [](std::span<const Value> items) { return std::ranges::all_of(items, &Value::is_object); };
  if (!are_maps(applied) || !are_maps(live) || !are_maps(now)) return {};
  const std::string_view field = NamingField(live, now);
  return NamingField(applied, live) == field && NamingField(applied, now) == field ? field : "";
}

// Returns true if what live changed in each item is kept, and so is their order.
bool KeepsNamedItems(std::span<const Value> applied, std::span<const Value> live, std::span<const Value> now,
                     std::string_view field) {
  const ByName old = Named(applied, field), theirs = Named(live, field), ours = Named(now, field);
  std::set<std::string_view> names;
  for (const ByName* side : {&old, &theirs, &ours}) {
    for (const auto& [name, item] : *side) names.insert(name);
  }
  const bool moved = NamesInBoth(live, old, field) != NamesInBoth(applied, theirs, field);
  if (moved && NamesInBoth(live, ours, field) != NamesInBoth(now, theirs, field)) return false;
  return std::ranges::all_of(names, [&](std::string_view name) {
    return KeepsChanges(Find(old, name), Find(theirs, name), Find(ours, name));
  });
}

// Items without a name are the same ones if none came or went.
bool KeepsInPlace(std::span<const Value> applied, std::span<const Value> live, std::span<const Value> now) {
  if (applied.size() != live.size() || live.size() != now.size()) return false;
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i].is_object() || !KeepsChanges(&applied[i], &live[i], &now[i])) return false;
  }
  return true;
}

bool KeepsItems(std::span<const Value> applied, std::span<const Value> live, std::span<const Value> now) {
  const std::string_view field = NameOfAll(applied, live, now);
  if (!field.empty()) return KeepsNamedItems(applied, live, now, field);
  std::deque<std::string> store;
  const Lines old = LinesOf(applied, store), theirs = LinesOf(live, store), ours = LinesOf(now, store);
  return KeepsLines(old, theirs, ours) || KeepsInPlace(applied, live, now);
}

bool KeepsMembers(const Value* applied, const Value& live, const Value& now) {
  bool keeps = true;
  (void)ForEachMember({IfKind(applied, Kind::kObject), &now, &live}, [&](std::string_view, const Sides& sides) {
    keeps = keeps && KeepsChanges(sides.original, sides.live, sides.modified);
    return Ok();
  });
  return keeps;
}

Lines LinesIn(const Value& text) { return Split(text.AsString(), '\n'); }

// The same of a text that only live has got: without the end of its last line.
bool KeepsNewText(const Value& live, const Value& now) {
  Lines theirs = LinesIn(live);
  if (theirs.back().empty()) theirs.pop_back();
  return KeepsLines({}, theirs, LinesIn(now));
}

// Of documents, what they say decides; where live changed only how it is written, their lines.
bool KeepsText(const Value& applied, const Value& live, const Value& now) {
  const auto documents = ReadDocuments({&applied, &live, &now});
  if (documents.empty() || documents[0].root() == documents[1].root()) {
    return KeepsLines(LinesIn(applied), LinesIn(live), LinesIn(now));
  }
  return KeepsChanges(&documents[0].root(), &documents[1].root(), &documents[2].root());
}

}  // namespace

bool KeepsChanges(const Value* applied, const Value* live, const Value* now) {
  if (SameOrBothAbsent(live, applied) || SameOrBothAbsent(live, now)) return true;
  if (live == nullptr || now == nullptr || SameOrBothAbsent(now, applied)) return false;
  if (live->is_object() && now->is_object()) return KeepsMembers(applied, *live, *now);
  if (live->is_array() && now->is_array()) return KeepsItems(ItemsOf(applied), live->Items(), now->Items());
  if (!live->is_string() || !now->is_string()) return false;
  if (applied == nullptr) return KeepsNewText(*live, *now);
  return applied->is_string() && KeepsText(*applied, *live, *now);
}

}  // namespace smp::explain
