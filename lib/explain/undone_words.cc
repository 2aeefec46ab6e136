#include "explain/undone_words.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_in_live.h"
#include "explain/changed_texts.h"
#include "explain/danger.h"
#include "explain/image_words.h"
#include "explain/inner_changes.h"
#include "explain/kept_changes.h"
#include "explain/nested_changes.h"
#include "explain/one_line.h"
#include "explain/rights.h"
#include "explain/row_values.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/formats.h"
#include "value/json.h"

namespace smp::explain {

namespace {

constexpr size_t kMostParts = 2;        // named of a value
constexpr size_t kLongestUndone = 144;  // bytes of texts: nothing else tells what people set

// What was applied last, what live has, and what apply makes of it.
struct Three {
  const Value &applied, &live, &now;
};

// --- rules of a Role

// Returns the rights that both have.
Rights InBoth(const Rights& one, const Rights& other) {
  Rights missing = one, out = one;
  RemoveAllowed(other, missing);
  for (const auto& [resource, verbs] : missing) {
    for (const std::string& verb : verbs) out[resource].erase(verb);
    if (out[resource].empty()) out.erase(resource);
  }
  return out;
}

// Returns "-delete pods; +get secrets": the rights that somebody gave in live, and those that somebody took.
std::string RightsUndone(const Three& values) {
  const auto applied = RightsOf(values.applied), live = RightsOf(values.live), now = RightsOf(values.now);
  if (!applied || !live || !now) return {};
  Rights given = *live, taken = *now;
  RemoveAllowed(*applied, given);
  RemoveAllowed(*now, given);
  RemoveAllowed(*live, taken);
  taken = InBoth(taken, *applied);
  std::vector<std::string> parts;
  for (const auto& [sign, rights] : {std::pair('-', &given), std::pair('+', &taken)}) {
    if (rights->empty()) continue;
    parts.push_back(StrCat(std::string(1, sign), RightsInWords(InGroups(sign, *rights), sign, kLongestItems)));
  }
  return parts.empty() ? std::string(kRightsStay) : Join(parts, "; ");
}

// --- maps, lists of maps and documents

// Returns - "a, b" of "- a, b": its comma would seem to end the change.
std::string WithQuotes(const std::string& words) {
  const bool has_sign = words.starts_with("- ") || words.starts_with("+ ");
  if (words.find(',') == words.npos) return words;
  return has_sign ? StrCat(words.substr(0, 2), "\"", words.substr(2), "\"") : "";
}

// Returns " 5 → 3", or of longer texts the words that differ: " - preempt". "" if that is long.
std::string ValuesInWords(const Value& before, const Value& after) {
  const std::string old = ShortValue(&before), now = ShortValue(&after);
  if (!old.empty() && !now.empty()) return old == now ? "" : StrCat(" ", old, " → ", now);
  if (!IsShortDocument(before) || !IsShortDocument(after)) return {};
  const std::string words = WithQuotes(ChangeWithinLine(before.AsString(), after.AsString()));
  const bool is_short = words.size() <= kLongestItems / 2 && words.find('\n') == words.npos;
  if (!words.empty() && is_short) return StrCat(" ", words);
  const std::string cut = CutValue(before), cut_now = CutValue(after);
  return cut.empty() || cut_now.empty() || cut == cut_now ? "" : StrCat(" ", cut, " → ", cut_now);
}

// Returns "web" of a whole item, "[name=rs0].size", and of a long path the end: "…resources.requests".
std::string PathInWords(const FieldPath& path) {
  constexpr size_t kLongest = 40;  // bytes
  constexpr std::ptrdiff_t kSteps = 2;
  if (path.size() == 1 && path.front().kind == PathStep::Kind::kKey) return FirstKey(path.front());
  std::string out = ToString(path);
  return out.size() <= kLongest || path.size() <= kSteps
             ? out
             : StrCat("…", ToString(FieldPath(path.end() - kSteps, path.end())));
}

// Returns "disk NotIn ssd" of an item of matchExpressions; "" of others.
std::string ExpressionInWords(const Value* value) {
  if (value == nullptr || !value->is_object()) return {};
  const std::string_view key = value->StringOr("key"), how = value->StringOr("operator");
  if (key.empty() || how.empty()) return {};
  const std::string values = Join(TextsAt(*value, {"values"}), "|");
  return StrCat(key, " ", how, values.empty() ? "" : " ", values);
}

// Returns "rolearn …role/eks-worker" of an item without a name: the end of its longest text, which tells most.
std::string LongestText(const Value* item) {
  constexpr size_t kLongest = 32;  // bytes
  if (item == nullptr || !item->is_object()) return {};
  const Member* longest = nullptr;
  for (const Member& member : item->Members()) {
    const bool is_text = member.value.is_string() && !NamesPassword(member.name);
    if (is_text && (longest == nullptr || member.value.AsString().size() > longest->value.AsString().size()))
      longest = &member;
  }
  if (longest == nullptr) return {};
  const std::string_view text = longest->value.AsString();
  if (MentionsPassword(text) || !std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) return {};
  const bool is_long = text.size() > kLongest;
  return StrCat(longest->name, " ", is_long ? "…" : "", is_long ? text.substr(text.size() - kLongest) : text);
}

// Returns "{size: 5}" of a small map, too; "" of what is long or may be a password.
std::string ShortPart(const Value* value) {
  constexpr size_t kLongest = 48;  // bytes
  if (value == nullptr || !value->is_object()) return ShortValue(value);
  const bool tells = std::ranges::all_of(value->Members(), [](const Member& member) {
    return !NamesPassword(member.name) && !ShortValue(&member.value).empty();
  });
  return tells ? OneLineUpTo(kLongest, *value).value_or("") : "";
}

std::string PartInWords(const NestedChange& change) {
  const std::string path = PathInWords(change.path);
  const bool is_item = !change.path.empty() && change.path.back().kind == PathStep::Kind::kIndex;
  if (is_item && (change.before == nullptr) != (change.after == nullptr)) {
    const std::string text = LongestText(change.before != nullptr ? change.before : change.after);
    if (!text.empty()) return StrCat(change.before != nullptr ? "-" : "+", text);
  }
  const bool is_whole = change.before == nullptr || change.after == nullptr;
  const std::string expression = ExpressionInWords(change.before != nullptr ? change.before : change.after);
  if (is_whole && !expression.empty()) return StrCat(change.before != nullptr ? "-" : "+", expression);
  if (EndsInPassword(change.path) || IsPassword(change.path))
    return StrCat(change.before == nullptr ? "+" : change.after == nullptr ? "-" : "", path);
  if (change.before != nullptr && change.after != nullptr) {
    return StrCat(path, ValuesInWords(*change.before, *change.after));
  }
  // An item is named by its key.
  const bool is_field = !change.path.empty() && change.path.back().kind == PathStep::Kind::kField;
  const Value* only = change.before != nullptr ? change.before : change.after;
  const std::string value = is_field ? ShortPart(only) : ShortValue(only);
  return StrCat(change.before != nullptr ? "-" : "+", path, value.empty() ? "" : StrCat(": ", value));
}

// Returns " (was changed: a.exclude, +b: 1)" of what goes as a whole, if live changed something in it.
std::string TouchedBelow(const NestedChange& change, const std::vector<NestedChange>& in_live) {
  if (change.after != nullptr) return {};
  std::vector<std::string> parts;
  for (const NestedChange& touched : in_live) {
    const bool is_below = touched.path.size() > change.path.size() &&
                          std::equal(change.path.begin(), change.path.end(), touched.path.begin());
    if (!is_below) continue;
    const FieldPath below(touched.path.begin() + static_cast<std::ptrdiff_t>(change.path.size()), touched.path.end());
    parts.push_back(PartInWords({below, touched.before, touched.after}));
  }
  return parts.empty() ? "" : StrCat(" (was changed: ", NameSome(std::move(parts), kMostParts), ")");
}

// Returns "[name=rs0].size 5 → 3", or the path alone where the values are long. `in_live`: what live changed.
// Addresses come first, what only people see last.
std::string PartsInWords(std::vector<NestedChange> changes, const std::vector<NestedChange>& in_live = {}) {
  const auto is_address = [](const Value* value) {
    return value != nullptr && value->is_string() && HasUrl(value->AsString());
  };
  const auto rank = [&](const NestedChange& change) {
    if (is_address(change.before) || is_address(change.after)) return 0;
    const auto is_column = [](const PathStep& step) { return step.name == "additionalPrinterColumns"; };
    return std::ranges::any_of(change.path, is_column) ? 2 : 1;
  };
  std::ranges::stable_sort(changes, {}, rank);
  std::vector<std::string> parts, paths;
  for (const NestedChange& change : changes) {
    parts.push_back(StrCat(PartInWords(change), TouchedBelow(change, in_live)));
    paths.push_back(PathInWords(change.path));
  }
  for (const auto& [names, most] :
       {std::pair(&parts, kMostParts), std::pair(&parts, size_t{0}), std::pair(&paths, kMostParts)}) {
    if (names->empty()) return {};
    const size_t more = names->size() - 1;
    std::string out =
        most > 0 ? NameSome(*names, most) : StrCat(names->front(), more > 0 ? StrCat(" and ", more, " more") : "");
    if (out.size() <= kLongestUndone) return out;
  }
  return Counted(paths.size(), "value");
}

// `changes`: from live to now.
ChangedInLive WhatLiveChanged(const Three& values, const std::vector<NestedChange>& changes) {
  ChangedInLive out(&values.applied, values.live);
  out.NoteMoves(changes);
  return out;
}

// Returns true for "500m" and "0.5" of cpu, which are one quantity.
bool IsSameQuantity(const NestedChange& change) {
  constexpr std::string_view kResources[] = {"cpu", "ephemeral-storage", "memory", "storage"};
  const bool is_resource =
      !change.path.empty() && std::ranges::find(kResources, change.path.back().name) != std::end(kResources);
  if (!is_resource) return false;
  const bool are_texts =
      change.before != nullptr && change.after != nullptr && change.before->is_string() && change.after->is_string();
  return are_texts && SameQuantity(change.before->AsString(), change.after->AsString());
}

std::string PartsUndone(std::vector<NestedChange> changes, const Three& values) {
  std::erase_if(changes, IsSameQuantity);
  if (values.applied == values.now) return PartsInWords(std::move(changes));  // the manifest changes nothing
  const ChangedInLive in_live = WhatLiveChanged(values, changes);
  std::erase_if(changes, [&](const NestedChange& change) { return !in_live.Has(change.path); });
  const bool are_texts = values.applied.is_string() && values.live.is_string();
  if (const auto inner = are_texts ? ChangesInside(values.applied, values.live) : std::nullopt) {
    return PartsInWords(std::move(changes), inner->changes);
  }
  return PartsInWords(std::move(changes),
                      NestedChanges(values.applied, values.live).value_or(std::vector<NestedChange>()));
}

// --- all of them

std::string PartsOf(const Three& values, bool are_rules) {
  const auto& [applied, live, now] = values;
  if (are_rules && RightsOf(live) && RightsOf(now)) return RightsUndone(values);
  if (live.is_array() && now.is_array()) {
    if (std::string texts = ChangeOfTexts(live, now, kLongestUndone, &applied); !texts.empty()) return texts;
  }
  if (auto changes = NestedChanges(live, now)) return PartsUndone(*std::move(changes), values);
  if (!IsShortDocument(live) || !IsShortDocument(now) || !IsShortDocument(applied)) return {};
  if (auto inner = ChangesInside(live, now)) return PartsUndone(std::move(inner->changes), values);
  // Where comments and layout differ, too, the values that were changed say more than lines.
  if (auto inner = ValuesInside(live, now)) {
    if (std::string parts = PartsUndone(std::move(inner->changes), values); !parts.empty()) return parts;
  }
  if (live.AsString().find('\n') == std::string_view::npos) return {};
  return ChangeOfLinesUndone(live.AsString(), now.AsString(), applied.AsString(), kLongestUndone);
}

// Returns " (timeout: 5, body and 3 more)" of a map that goes as a whole.
std::string MembersInWords(const ReportRow& row) {
  if (row.op != RowOp::kDelete || row.live == nullptr || !row.live->is_object()) return {};
  if (row.reason == Reason::kRemoved) return {};  // others have changed only a part of it
  std::vector<std::string> names;
  for (const auto& [key, value] : row.live->Members()) {
    const std::string text = row.masked || NamesPassword(key) ? "" : ShortValue(&value);
    names.push_back(StrCat(key, text.empty() ? "" : ": ", text));
  }
  return names.empty() ? "" : StrCat(" (", NameSome(names, kMostParts), ")");
}

// Returns "true" of a label, annotation or field that somebody removed; "" where that is long.
std::string ValueThatComesBack(const ReportRow& row) {
  const bool comes_back = row.op == RowOp::kSet && row.live == nullptr && row.reason == Reason::kRestored;
  const bool is_shown = comes_back && !row.masked && !IsPassword(row.path) && !NamesPassword(row.path.back().name);
  return is_shown && row.path.back().kind == PathStep::Kind::kField ? ShortValue(row.outcome) : "";
}

// Returns "+env A: 1" of a list of variables that is new.
std::vector<std::string> NewVariables(const NestedChange& change) {
  const bool is_new = change.before == nullptr && change.after != nullptr && change.after->is_array();
  std::vector<std::string> out;
  if (!is_new || change.path.empty() || change.path.back().name != "env") return out;
  for (const Value& variable : change.after->Items()) {
    const std::string name(TextAt(variable, {"name"}));
    const std::string value = NamesPassword(name) || !variable.is_object() ? "" : ShortValue(variable.Find("value"));
    out.push_back(StrCat("+env ", name, value.empty() ? "" : ": ", value));
  }
  return out;
}

// Returns " (was changed: env A 1 → 2)": what others changed in a container that goes, or in another map or item. What live has besides may be
// defaults.
std::string TouchedInWords(const ReportRow& row) {
  if (row.op != RowOp::kDelete || row.reason != Reason::kRemoved || row.masked) return {};
  if (row.original == nullptr || row.live == nullptr || row.live->is_scalar()) return {};
  const auto changes = NestedChanges(*row.original, *row.live);
  std::vector<std::string> parts;
  for (const NestedChange& change : changes.value_or(std::vector<NestedChange>())) {
    const bool is_item = !change.path.empty() && change.path.back().kind == PathStep::Kind::kKey;
    const std::vector<std::string> variables = NewVariables(change);
    parts.insert(parts.end(), variables.begin(), variables.end());
    if (variables.empty() && (change.before != nullptr || is_item)) parts.push_back(PartInWords(change));
  }
  return parts.empty() ? "" : StrCat(" (was changed: ", NameSome(parts, kMostParts), ")");
}

}  // namespace

std::string ChangedDataInWords(const Value& applied, const Value& live, const std::set<std::string>& keys,
                               const Value* base) {
  std::vector<std::string> names;
  const Value none = Value::UnownedObject({});
  const Value *before = applied.Find("data"), *after = live.Find("data");
  const auto changes = NestedChanges(before != nullptr ? *before : none, after != nullptr ? *after : none);
  for (const NestedChange& change : changes.value_or(std::vector<NestedChange>())) {
    const std::string key = change.path.empty() ? "" : change.path.back().name;
    if (!keys.empty() && !keys.contains(key)) continue;
    if (NamesPassword(key)) {
      names.push_back(key);
      continue;
    }
    if (change.before == nullptr || change.after == nullptr) {
      names.push_back(PartInWords(change));
      continue;
    }
    const Value &old = *change.before, &now = *change.after;
    const Value* first = base == nullptr ? nullptr : base->FindPath({"data", key});
    const bool is_text = first != nullptr && first->is_string() && *first != old;
    const std::string parts = ShortValue(&now).empty() ? PartsOf({is_text ? *first : now, old, now}, false) : "";
    names.push_back(StrCat(key, parts.empty() ? ValuesInWords(old, now) : StrCat(" ", parts)));
  }
  return NameSome(names, kMostParts);
}

// Returns "env SPACE * → valueFrom" of a variable whose value goes because the manifest has it from somewhere else.
std::string ValueThatGoes(const ReportRow& row) {
  const bool is_value = row.path.size() > 2 && row.path.back().name == "value" && row.op == RowOp::kDelete;
  if (!is_value || row.reason != Reason::kUnion || row.path[row.path.size() - 3].name != "env") return {};
  const std::string name = FirstKey(row.path[row.path.size() - 2]);
  const std::string value = row.masked || NamesPassword(name) ? "" : ShortValue(row.live);
  return StrCat("env ", name, value.empty() ? "" : " ", value, " → valueFrom");
}

// Returns "env HOST …db-failover.ex… → …db-main.exam…" of long texts: what is around the first difference.
std::string AroundDifference(const ReportRow& row) {
  constexpr size_t kBefore = 6, kShown = 26;  // bytes
  const Value *before = row.live, *after = row.outcome;
  const bool are_texts = before != nullptr && after != nullptr && before->is_string() && after->is_string();
  if (!are_texts || row.masked || row.op != RowOp::kSet || IsPassword(row.path)) return {};
  const std::string_view old = before->AsString(), now = after->AsString();
  const auto can_be_cut = [](std::string_view text) {
    const bool ascii = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
    return ascii && !text.empty() && !MentionsPassword(text);
  };
  if (!can_be_cut(old) || !can_be_cut(now)) return {};
  const auto difference = static_cast<size_t>(std::ranges::mismatch(old, now).in1 - old.begin());
  const size_t begin = difference > kBefore ? difference - kBefore : 0;
  const auto shown = [&](std::string_view text) {
    const std::string_view part = text.substr(std::min(begin, text.size()), kShown);
    return StrCat(begin > 0 ? "…" : "", part, begin + part.size() < text.size() ? "…" : "");
  };
  return StrCat(FieldInWords(row.path), " ", shown(old), " → ", shown(now));
}

bool UndoesNothing(const ReportRow& row) {
  // A first server-side apply meets what client-side apply has written: a conflict, though nobody changed it since.
  const bool is_as_applied = (row.original == nullptr || !row.drifted) && !row.managers.empty();
  if (row.reason == Reason::kConflict && is_as_applied && AllOfClientSideApply(row.managers)) return true;
  const bool both_changed =
      row.reason == Reason::kConflict || row.reason == Reason::kAtomic || row.reason == Reason::kOwned;
  if (!both_changed || row.op != RowOp::kSet || row.masked || row.path.empty()) return false;
  if (row.live == nullptr || row.outcome == nullptr) return false;
  if (row.original == nullptr) return KeepsChanges(nullptr, row.live, row.outcome);
  const Three values = {*row.original, *row.live, *row.outcome};
  const auto& [applied, live, now] = values;
  if (row.path.back().name == "rules" && RightsOf(applied) && RightsOf(live) && RightsOf(now)) {
    return RightsUndone(values) == kRightsStay;
  }
  return KeepsChanges(&applied, &live, &now);
}

namespace {

// Returns "nodePort 31999 → none" of a number or short text that goes; "" of other rows.
std::string ValueThatIsLost(const ReportRow& row) {
  const bool goes = row.op == RowOp::kDelete && row.live != nullptr && !row.live->is_bool() && row.live->is_scalar();
  if (!goes || row.masked || row.path.empty() || IsPassword(row.path) || NamesPassword(row.path.back().name)) return {};
  const std::string value = ShortValue(row.live);
  return value.empty() ? "" : StrCat(FieldInWords(row.path), " ", value, " → none");
}

// Returns " (1.1.0 was applied)" where the manifest has changed the value, too: an upgrade looks like a reset otherwise. "" where that
// is long.
std::string AppliedInWords(const ReportRow& row) {
  const bool both_changed = row.reason == Reason::kConflict && row.op == RowOp::kSet && row.original != nullptr;
  if (!both_changed || row.masked || IsPassword(row.path) || NamesPassword(row.path.back().name)) return {};
  if (!row.original->is_scalar() || SameOrBothAbsent(row.original, row.live)) return {};
  if (!ChangedImage(row)) {
    const std::string value = ShortValue(row.original);
    return value.empty() ? "" : StrCat(" (", value, " was applied)");
  }
  const std::string applied = TextOfScalar(*row.original), name = NameOfImage(applied);
  const bool is_known = RepositoryOf(applied) == RepositoryOf(TextOfScalar(*row.live));
  const size_t colon = is_known ? name.find(':') : name.npos;
  return StrCat(" (", colon == name.npos ? name : name.substr(colon + 1), " was applied)");
}

// Returns "finalizers +a.io/x" of an element that somebody took out of a set; "" of other rows.
std::string ElementThatComesBack(const ReportRow& row) {
  const bool is_element = !row.path.empty() && row.path.back().kind == PathStep::Kind::kElement;
  if (!is_element || row.reason != Reason::kRestored || row.masked || IsPassword(row.path)) return {};
  const std::string value = ShortValue(row.outcome);
  return value.empty() ? "" : StrCat(FieldInWords(FieldPath(row.path.begin(), row.path.end() - 1)), " +", value);
}

}  // namespace

std::string UndoneInWords(const ReportRow& row, std::string_view own_name) {
  if (std::string element = ElementThatComesBack(row); !element.empty()) return element;
  if (row.op == RowOp::kMove) return StrCat(FieldInWords(row.path), " (other order)");
  if (std::string value = ValueThatGoes(row); !value.empty()) return value;
  if (std::string value = ValueThatIsLost(row); !value.empty()) return value;
  if (ChangeInWords(row, own_name) == FieldInWords(row.path)) {
    if (std::string cut = AroundDifference(row); !cut.empty()) return cut;
  }
  const bool live_changed =
      row.reason == Reason::kConflict || row.reason == Reason::kAtomic || row.reason == Reason::kDrift;
  const bool is_whole = !live_changed || row.op != RowOp::kSet || row.masked;
  if (row.path.empty() || IsPassword(row.path)) return ChangeInWords(row, own_name);
  const bool are_lists =
      row.live != nullptr && row.live->is_array() && row.outcome != nullptr && row.outcome->is_array();
  if (are_lists && row.path.back().name == "tolerations") {
    const std::string change = ChangeOfTolerations(*row.live, *row.outcome);
    return StrCat(FieldInWords(row.path), " ", change.empty() ? "(other order)" : change);
  }
  const bool is_owned = row.reason == Reason::kOwned && row.op == RowOp::kSet && !row.masked;
  const bool are_rights = are_lists && row.path.back().name == "rules" && RightsOf(*row.live) && RightsOf(*row.outcome);
  if (are_rights && row.original == nullptr) {
    const std::string undone = RightsUndone({Value::UnownedArray({}), *row.live, *row.outcome});
    // Of a conflict, rights that somebody took away come back.
    if (undone != kRightsStay || row.reason != Reason::kConflict) return StrCat("rules ", undone);
  }
  if ((!is_whole || is_owned) && row.original == nullptr && row.live != nullptr && row.outcome != nullptr) {
    // All that live has was set there.
    const auto changes = NestedChanges(*row.live, *row.outcome);
    std::string parts = changes ? PartsInWords(*changes) : "";
    const auto inner = changes ? std::nullopt : ValuesInside(*row.live, *row.outcome);
    if (inner && !inner->changes.empty()) parts = PartsInWords(inner->changes);
    if (!parts.empty()) return StrCat(FieldInWords(row.path), parts.starts_with('[') ? "" : " ", parts);
  }
  if (is_whole || row.original == nullptr || row.live == nullptr || row.outcome == nullptr) {
    if (const std::string value = ValueThatComesBack(row); !value.empty()) {
      return StrCat(FieldInWords(row.path), " removed → ", value);
    }
    return StrCat(ChangeInWords(row, own_name), MembersInWords(row), TouchedInWords(row));
  }
  const std::string parts = PartsOf({*row.original, *row.live, *row.outcome}, row.path.back().name == "rules");
  if (parts.empty()) return StrCat(ChangeInWords(row, own_name), AppliedInWords(row));
  return StrCat(FieldInWords(row.path), parts.starts_with('[') ? "" : " ", parts);
}

}  // namespace smp::explain
