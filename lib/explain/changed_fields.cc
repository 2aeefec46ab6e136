#include "explain/changed_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_images.h"
#include "explain/changed_texts.h"
#include "explain/image_words.h"
#include "explain/inner_changes.h"
#include "explain/message.h"
#include "explain/nested_changes.h"
#include "explain/pod_security.h"
#include "explain/reading_order.h"
#include "explain/rights.h"
#include "explain/row_values.h"
#include "explain/schema_changes.h"
#include "explain/undone_words.h"
#include "explain/version_label.h"
#include "value/at.h"
#include "value/columns.h"
#include "value/json.h"

namespace smp::explain {

namespace {

bool Changes(const ReportRow& row) { return row.op != RowOp::kKeep; }

// Returns true for maps whose keys the user chooses, and for variables: a change in one of them is named by both.
bool HasNamesOfTheUser(std::string_view field) { return field == "labels" || field == "annotations" || field == "env"; }

// Returns true for other maps whose keys say little alone, such as the selector of a Service.
bool IsMapOfNames(std::string_view field, std::string_view key) {
  const bool is_selector = field == "selector" && !key.starts_with("match");
  const bool is_strategy = (field == "strategy" || field == "updateStrategy") && key == "type";
  return field == "limits" || field == "requests" || field == "nodeSelector" || is_selector || is_strategy;
}

// What a short list of changes calls a row.
struct ShortName {
  std::string_view field;  // the last one of the path, or the map or list that `item` is in
  std::string item;        // label, variable, or key of a list item; "" if the field says enough
  bool of_init_container = false;
  bool is_name = false;         // of what is in the field: of a port, or a Service
  std::string_view probe = {};  // "livenessProbe"

  // "init image": of an init container, beside the same field of the others.
  std::string FieldInWords() const {
    const bool in_probe = !probe.empty() && probe != field;
    return StrCat(of_init_container && field != "initContainers" ? "init " : "", in_probe ? probe : "",
                  in_probe ? " " : "", field, is_name ? " name" : "");
  }
};

// Returns "53/UDP" of a port, and what FirstKey returns of other items.
std::string NameOfItem(const PathStep& item) {
  const auto protocol = std::ranges::find(item.keys, "protocol", [](const auto& key) { return key.first; });
  const bool says_more = protocol != item.keys.end() && item.keys.size() > 1 && protocol->second != "\"TCP\"";
  if (!says_more) return FirstKey(item);
  return StrCat(FirstKey(item), "/", std::string_view(protocol->second).substr(1, protocol->second.size() - 2));
}

ShortName ShortNameOf(const FieldPath& path) {
  ShortName out;
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::kKey) out.item = NameOfItem(step);
    if (step.kind != PathStep::Kind::kField) continue;
    if (step.name.ends_with("Probe")) out.probe = step.name;
    if (step.name == "initContainers") out.of_init_container = true;
    if (out.field == "env" && !out.item.empty()) return out;
    if (step.name == "name" && out.field == "image") continue;  // the image of what an operator starts
    if (out.field == "roleRef") {
      out.item = step.name;
      return out;
    }
    // Domains of labels only make them long.
    // A version is one of a program that the domain names.
    if (out.field == "annotations" && step.name.ends_with("/version")) {
      out.item = StrCat(step.name.substr(0, step.name.find('.')), " version");
      return out;
    }
    // What this domain's labels allow, their names alone do not tell.
    const size_t domain = step.name.starts_with(kPodSecurity) ? 0 : step.name.find('/') + 1;
    const std::string_view of_map = HasNamesOfTheUser(out.field)         ? std::string_view(step.name).substr(domain)
                                    : IsMapOfNames(out.field, step.name) ? std::string_view(step.name)
                                                                         : "";
    if (!of_map.empty()) {
      out.item = of_map;
      return out;
    }
    // A name is one of a port, a Service or a ConfigMap; alone, it would be the object's.
    out.is_name = step.name == "name" && !out.field.empty() && out.field != "metadata";
    if (!out.is_name) out.field = step.name;
    out.item.clear();
  }
  return out;
}

constexpr size_t kMostNames = 8;
constexpr size_t kMostItems = 5;   // of a field
constexpr size_t kMostValues = 3;  // likewise, if they have no names

// Returns what it means, for those who do not know the word of the reason yet, if the change is not, or not only, the manifest's:
// somebody changed live, or loses something. "" for other reasons.
std::string_view OthersWork(const ReportRow& row) {
  switch (row.reason) {
    case Reason::kConflict:
    case Reason::kAtomic: return UndoesNothing(row) ? "" : "changed in live";
    case Reason::kDrift: return row.stored_otherwise ? "" : "changed in live";
    case Reason::kRestored: return ReasonName(row.reason);
    default: return {};
  }
}

}  // namespace

bool IsWithinVariable(const FieldPath& path) {
  if (path.empty() || path.back().kind != PathStep::Kind::kField || path.back().name == "value") return false;
  for (size_t i = 0; i + 2 < path.size(); ++i) {
    if (path[i].name == "env" && path[i + 1].kind == PathStep::Kind::kKey) return true;
  }
  return false;
}

std::string FirstKey(const PathStep& item) {
  if (item.keys.empty()) return {};
  std::string_view text = item.keys.front().second;
  if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

std::string ContainerOf(const FieldPath& path) {
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (IsContainerList(path[i].name)) return FirstKey(path[i + 1]);
  }
  return {};
}

std::string FieldInWords(const FieldPath& path) {
  const ShortName name = ShortNameOf(path);
  return StrCat(name.FieldInWords(), name.item.empty() ? "" : " ", name.item);
}

namespace {

// Returns "shop" of the variable "{name: SPACE, value: shop}"; other values as they are.
std::string_view ValueOfVariable(const FieldPath& path, std::string_view value) {
  constexpr std::string_view kValue = ", value: ";
  const bool of_list = path.size() > 1 && path[path.size() - 2].name == "env" && value.starts_with("{name: ");
  const size_t at = of_list ? value.find(kValue) : value.npos;
  if (at == value.npos || !value.ends_with('}')) return value;
  const std::string_view out = value.substr(at + kValue.size());
  return out.substr(0, out.size() - 1);
}

}  // namespace

std::string FieldOfOthersInWords(const FieldPath& path, const std::string& whole) {
  constexpr size_t kLongest = 60;  // bytes
  const std::string_view value = ValueOfVariable(path, whole);
  const bool is_whole = value.size() < whole.size() || value.find("…") == value.npos;
  const bool is_short = !value.empty() && value.size() <= kLongest && is_whole && !IsPassword(path);
  return StrCat(FieldInWords(path), is_short ? StrCat(": ", value) : "");
}

namespace {

constexpr size_t kShortValue = 32;  // bytes

// What stands between a name and ": value", or "old → new".
std::string_view Before(std::string_view values) { return values.starts_with(':') ? "" : " "; }

constexpr size_t kLongestCommand = 48;
constexpr std::string_view kEmpty = "\"\"";

}  // namespace

std::string ShortValue(const Value* value) {
  if (value == nullptr || !value->is_scalar()) return {};
  std::string text = TextOfScalar(*value);
  if (text.empty()) return std::string(kEmpty);
  if (MentionsPassword(text)) return {};
  return text.size() <= kShortValue && text.find('\n') == std::string::npos ? text : "";
}

std::string CutValue(const Value& value) {
  std::string out = ShortValue(&value);
  if (!out.empty() || !value.is_string()) return out;
  const std::string_view text = value.AsString();
  const bool can_be_cut = text.find('\n') == text.npos && !MentionsPassword(text);
  return can_be_cut ? CutMiddle(text, kShortValue) : "";
}

namespace {

// Returns true for a value of a variable that is an image on both sides.
bool ChangesImageOfVariable(const ReportRow& row) {
  return !row.path.empty() && row.path.back().name == "value" && !ChangedImages(row).empty();
}

// Returns ": off" of a new variable, of a new key of a ConfigMap, of a boolean, or of a new command; "" for other fields, whose
// names say enough.
std::string AddedValue(const ReportRow& row) {
  const Value* after = ValueAfter(row);
  const bool of_variable = row.path.back().kind == PathStep::Kind::kKey && row.path.size() > 1 &&
                           row.path[row.path.size() - 2].name == "env";
  const bool of_map = row.path.size() == 2 && row.path.front().name == "data";
  const bool of_pod_security = row.path.back().name.starts_with(kPodSecurity);
  const bool of_program = row.path.back().name == "command" || row.path.back().name == "args";
  if (of_program && after != nullptr && after->is_array()) {
    const std::string words = Join(TextsAt(*after, {}), " ");
    return words.empty() || words.size() > kLongestCommand || words.find('\n') != words.npos ? "" : StrCat(": ", words);
  }
  if (after == nullptr || (!of_variable && !of_map && !of_pod_security && !after->is_bool())) return {};
  const std::string value = ShortValue(of_variable ? after->Find("value") : after);
  return value.empty() ? "" : StrCat(": ", value);
}

// Returns "web 1.2 → 1.3". Some manifests have images with names that are none: then only the new one is named.
std::string ImageInWords(std::string_view before, std::string_view after, std::string_view own_name) {
  if (IsImage(before) && IsImage(after)) return ChangeOfImage(before, after, own_name);
  return StrCat("→ ", NameOfImage(after));
}

// Returns "5 → 2", of a new variable ": off", of a list of texts "+ --new, level info → debug"; "" where that would say too little
// or too much: other words say it, or the values look alike. `own_name`: of the object.
std::string ShortValues(const ReportRow& row, std::string_view own_name) {
  if (row.masked || row.path.empty() || row.path.front().name == "binaryData") return {};
  if (IsWithinVariable(row.path)) return {};
  if (Sign(row) != '~') return Sign(row) == '+' ? AddedValue(row) : "";
  if (const auto images = ChangedImage(row)) return ImageInWords(images->first, images->second, own_name);
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  const bool are_lists = before != nullptr && after != nullptr && before->is_array() && after->is_array();
  if (are_lists && row.path.back().name == "tolerations") return ChangeOfTolerations(*before, *after);
  if (ChangesImageOfVariable(row)) return ChangeOfTag(before->AsString(), after->AsString());
  if (are_lists) return ChangeOfTexts(*before, *after, kLongestItems);
  const bool of_host = row.path.size() > 1 && row.path[row.path.size() - 2].name == "hostPath";
  if (of_host && before != nullptr && after != nullptr && before->is_string() && after->is_string()) {
    constexpr size_t kLongestPath = 28;
    return StrCat(CutMiddle(before->AsString(), kLongestPath), " → ", CutMiddle(after->AsString(), kLongestPath));
  }
  const std::string old = ShortValue(before), now = ShortValue(after);
  if (old.empty() && now == kEmpty) return StrCat("→ ", now);
  return old.empty() || now.empty() || old == now ? "" : StrCat(old, " → ", now);
}

// Returns "Network 10.42.0.0/16 → 10.244.0.0/16 and 2 more", or "3 values" if that is long.
std::string InnerChangesInWords(const std::vector<NestedChange>& changes) {
  if (changes.empty()) return {};
  const NestedChange& first = changes.front();
  const std::string_view sign = first.before == nullptr ? "+" : first.after == nullptr ? "-" : "";
  const bool is_password = EndsInPassword(first.path);
  const std::string old = is_password ? "" : ShortValue(first.before), now = is_password ? "" : ShortValue(first.after);
  const size_t more = changes.size() - 1;
  const std::string values = first.before == nullptr && !now.empty() ? StrCat(": ", now)
                             : old.empty() || now.empty()            ? ""
                                                                     : StrCat(" ", old, " → ", now);
  std::string out = StrCat(sign, ToString(first.path), values, more == 0 ? "" : StrCat(" and ", more, " more"));
  return out.size() <= kLongestItems ? out : Counted(changes.size(), "value");
}

// Returns what differs in a document in a string, or in the lines of another text; "" for other values.
std::string ChangeOfTextInWords(const ReportRow& row) {
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  if (row.masked || before == nullptr || after == nullptr) return {};
  if (!IsShortDocument(*before) || !IsShortDocument(*after)) return {};
  if (const auto inner = ChangesInside(*before, *after)) return InnerChangesInWords(inner->changes);
  const bool has_lines =
      before->AsString().find('\n') != std::string_view::npos || after->AsString().find('\n') != std::string_view::npos;
  return has_lines ? ChangeOfLines(before->AsString(), after->AsString(), kLongestItems) : "";
}

// Like ShortValues, and of a text what differs in it, if that is short.
std::string ShortChange(const ReportRow& row, std::string_view own_name) {
  if (IsPassword(row.path)) return {};
  std::string values = ShortValues(row, own_name);
  if (values.empty()) values = ChangeOfTextInWords(row);
  return values.size() <= kLongestItems || ChangedImage(row) ? values : "";
}

// Of labels and annotations, the values say less than the names.
bool HasTellingValues(std::string_view field) { return field != "labels" && field != "annotations"; }

// Where a volume is only added, no data goes; another order seldom means anything.
Danger DangerOfRow(const ReportRow& row) {
  if (row.op == RowOp::kMove) return Danger::kOther;
  const Danger danger = DangerOf(row.path);
  return danger == Danger::kData && Sign(row) == '+' ? Danger::kOther : danger;
}

// The rows of an object that have the same field, as far as a short list says it.
struct ChangedField {
  std::string name;
  std::string_view surprise;
  size_t count = 0;
  size_t images_of_variables = 0;
  std::vector<std::string> values = {};  // of the rows, if they are short: each once
  std::string only_value = "";           // what to say if there is one: an image without the object's name
  bool all_short = true;
  std::map<char, size_t> signs = {};             // how many rows have it
  std::optional<std::string> same_begin = {};    // of the names of all items: "RELATED_IMAGE_"
  std::vector<std::string> items = {};           // with their signs, each once
  std::vector<std::string> items_in_words = {};  // the same, with their values where these are short
  bool is_named_by_items = true;
  SchemaCounts schema = {};
  Danger danger = Danger::kLabels;  // the greatest of the rows
  std::set<std::string> of_others;  // those of `values` that others have changed
  size_t rows_of_others = 0;
  bool follows = true;  // the server changes it because other fields change

  // `row_values`: what the row changes, in a few words; "" if they are long.
  void Add(const ReportRow& row, const ShortName& short_name, std::string row_values, std::string_view own_name) {
    const char sign = Sign(row);
    if (count == 0) only_value = ChangedImage(row) ? ShortChange(row, own_name) : row_values;
    const bool tells = HasTellingValues(short_name.field) || (sign == '+' && short_name.item.starts_with(kPodSecurity));
    // A variable whose source becomes another one stays.
    const bool is_within = row.path.size() > 2 && row.path[row.path.size() - 3].name == "env" &&
                           row.path[row.path.size() - 2].kind == PathStep::Kind::kKey;
    AddItem(WithSign(is_within ? '~' : sign, short_name.item), tells ? row_values : "");
    if (!same_begin) same_begin = short_name.item;
    const auto [end, _] = std::ranges::mismatch(*same_begin, short_name.item);
    same_begin->erase(end, same_begin->end());
    images_of_variables += ChangesImageOfVariable(row) ? 1 : 0;
    all_short = all_short && !row_values.empty();
    const bool is_of_others = !OthersWork(row).empty();
    if (values.size() <= kMostValues && std::find(values.begin(), values.end(), row_values) == values.end()) {
      if (is_of_others) of_others.insert(row_values);
      values.push_back(std::move(row_values));
    }
    ++count;
    rows_of_others += is_of_others ? 1 : 0;
    ++signs[sign];
    danger = std::min(danger, DangerOfRow(row));
    follows = follows && row.reason == Reason::kServer;
    is_named_by_items = is_named_by_items && !short_name.item.empty();
    if (surprise.empty()) surprise = OthersWork(row);
  }

  void TellVersion(const std::string& version) {
    if (name != "image" && name != "init image") return;
    for (std::string& words : values) words = WithVersionLabel(std::move(words), version);
    only_value = WithVersionLabel(std::move(only_value), version);
  }

  // Tells what seems to be removed and added as one change.
  void TellRename(const RenamedContainer& container) {
    const std::string gone = StrCat("-", container.old_name), added = StrCat("+", container.new_name);
    const auto is_either = [&](const std::string& item) { return item == gone || item == added; };
    if (std::ranges::count_if(items, is_either) != 2) return;
    for (std::vector<std::string>* list : {&items, &items_in_words}) std::erase_if(*list, is_either);
    items.push_back(StrCat(container.old_name, " renamed ", container.new_name));
    const std::string image = ChangeOfImage(container.old_image, container.new_image, "");
    items_in_words.push_back(StrCat(items.back(), image.empty() ? "" : ", ", image));
    for (const char sign : {'-', '+'}) {
      if (--signs[sign] == 0) signs.erase(sign);
    }
    ++signs['~'];
  }

  // Returns "-limits" if it is only removed.
  std::string NameWithSign() const {
    return is_named_by_items || signs.size() > 1 ? name : WithSign(signs.begin()->first, name);
  }
  // The lowest comes first.
  std::tuple<bool, bool, Danger, int> Rank() const {
    const char only = signs.size() == 1 ? signs.begin()->first : '~';
    return {surprise.empty(), follows, danger, only == '-' ? 0 : only == '+' ? 2 : 1};
  }

  // Returns "-limits", "image (1.2 → 1.3)", "env (LEVEL info → debug, -DEBUG)", "replicas (5 → 2, changed in live)", "env (6 images)" or
  // "args (2, changed in live)".
  std::string Words() const {
    const bool by_items = is_named_by_items && items.size() <= kMostItems && Join(items, ", ").size() <= kLongestItems;
    const std::string some = by_items ? "" : SomeItems();
    std::vector<std::string> details;
    if (by_items) {
      details = Join(items_in_words, ", ").size() <= kLongestItems ? items_in_words : items;
    } else if (!some.empty()) {
      details.push_back(some);
    } else if (images_of_variables == count) {
      details.push_back(StrCat(count, " images"));
    } else if (all_short && values.size() <= kMostValues && (count == 1 || !values.front().starts_with(':'))) {
      if (values.size() > 1 && rows_of_others > 0 && rows_of_others < count)
        return StrCat(NameOfValues(), " (", MarkedValues(), ")");
      details.push_back(values.size() == 1 ? only_value : Join(values, "; "));
    } else if (signs.size() > 1) {
      for (const auto& [sign, rows] : signs) details.push_back(CountedWithSign(sign, rows));
      details.front() = StrCat(FamilyInWords(), details.front());
    } else if (count > 1) {
      details.push_back(StrCat(FamilyInWords(), count));
    }
    if (signs.begin()->first == '>') details = {"other order"};
    if (!surprise.empty()) details.emplace_back(surprise);
    const bool has_signs = by_items || !some.empty() || signs.size() > 1;
    std::string out = has_signs ? name : WithSign(signs.begin()->first, name);
    if (!details.empty() && details.front().starts_with(':')) {
      out += details.front();
      details.erase(details.begin());
    }
    return details.empty() ? out : StrCat(out, " (", Join(details, ", "), ")");
  }

 private:
  std::string NameOfValues() const { return signs.size() > 1 ? name : WithSign(signs.begin()->first, name); }

  // Returns "1.2 → 1.3; 5.1 → 5.4, changed in live": the mark stands beside the value that it is about.
  std::string MarkedValues() const {
    std::vector<std::string> out;
    for (const std::string& value : values) {
      out.push_back(of_others.contains(value) ? StrCat(value, ", ", surprise) : value);
    }
    return Join(out, "; ");
  }

  // Returns "LEVEL info → debug, -DEBUG and 7 more", of items whose names do not begin alike; "" where not even two fit.
  std::string SomeItems() const {
    if (!is_named_by_items || images_of_variables == count || !FamilyInWords().empty()) return {};
    for (const std::vector<std::string>& list : {EachSignFirst(items_in_words), EachSignFirst(items)}) {
      for (size_t shown = std::min(list.size(), count - 1); shown >= 2; --shown) {
        const std::vector<std::string> first(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown));
        std::string out = StrCat(Join(first, ", "), " and ", count - shown, " more");
        if (out.size() <= kLongestItems) return out;
      }
    }
    return {};
  }

  // Returns the names with one that is removed, one that is added and one that changes first: what is left out is none of these alone.
  static std::vector<std::string> EachSignFirst(std::vector<std::string> names) {
    size_t next = 0;
    for (const char sign : {'-', '+'}) {
      const auto at = std::find_if(names.begin() + static_cast<std::ptrdiff_t>(next), names.end(),
                                   [&](const std::string& one) { return one.starts_with(sign); });
      if (at != names.end()) std::rotate(names.begin() + static_cast<std::ptrdiff_t>(next++), at, at + 1);
    }
    return names;
  }

  // Returns "RELATED_IMAGE_*: " where the names of all items begin alike; "" where that says little.
  std::string FamilyInWords() const {
    constexpr size_t kShortest = 6;  // bytes
    const std::string begin = same_begin->substr(0, same_begin->find_last_of("_-./") + 1);
    return is_named_by_items && begin.size() >= kShortest ? StrCat(begin, "*: ") : "";
  }

  // More than are named need not be known: of many, each search would cost as much as there are.
  void AddItem(std::string item, std::string_view item_values) {
    if (items.size() > kMostItems || std::find(items.begin(), items.end(), item) != items.end()) return;
    items_in_words.push_back(item_values.empty() ? item : StrCat(item, Before(item_values), item_values));
    items.push_back(std::move(item));
  }

  // Only additions and removals have a sign.
  static std::string WithSign(char sign, std::string_view name) {
    return StrCat(sign == '+' || sign == '-' ? std::string(1, sign) : "", name);
  }

  static std::string CountedWithSign(char sign, size_t rows) {
    return sign == '+' || sign == '-' ? StrCat(std::string(1, sign), rows) : StrCat(rows, " changed");
  }
};

// What a row changes, where that is neither its path nor its values.
struct ShortField {
  std::string name;     // "-rights"
  std::string content;  // "get, list pods"; "": no more is known
  SchemaCounts schema = {};
};

// Of rights of which some are lost and some are new, the name has no sign.
ShortField RightsOfRow(const ReportRow& row) {
  constexpr size_t kLongestRights = 56;  // bytes
  const Value none = Value::UnownedArray({});
  const auto rights =
      ChangedRights(row.live == nullptr ? none : *row.live, row.outcome == nullptr ? none : *row.outcome);
  if (!rights) return {"rights", ""};
  if (rights->empty()) return {"rules", "the same rights"};
  const std::string lost = RightsInWords(*rights, '-', kLongestRights),
                    given = RightsInWords(*rights, '+', kLongestRights);
  const std::string sign = row.live == nullptr || row.outcome == nullptr ? "" : lost.empty() ? "+" : "-";
  if (lost.empty() || given.empty()) return {StrCat(sign, "rights"), StrCat(lost, given)};
  return {"rights", StrCat("-", lost, "; +", given)};
}

// Returns "-v1beta1", or the names of what else changes: "additionalPrinterColumns".
std::string VersionsInWords(const std::vector<NestedChange>& changes) {
  constexpr size_t kMost = 3;
  NamesOnce names;
  for (const NestedChange& change : changes) {
    if (change.path.empty()) continue;
    const bool whole = change.path.size() == 1;
    const std::string sign = !whole ? "" : change.after == nullptr ? "-" : change.before == nullptr ? "+" : "";
    names.Add(whole ? StrCat(sign, FirstKey(change.path[0])) : change.path[1].name);
  }
  return names.Some(kMost);
}

ShortField VersionsOfRow(const ReportRow& row) {
  if (row.live == nullptr || row.outcome == nullptr) return {"versions", ""};
  const auto changes = ChangesOfVersions(*row.live, *row.outcome);
  if (!changes || changes->empty()) return {"versions", ""};  // only their order, if any
  const SchemaChanges divided = DivideSchemaChanges(*changes, *row.live, *row.outcome);
  if (AreOnlyDescriptions(divided)) return {"descriptions", ""};
  if (divided.schemas.empty()) return {"versions", VersionsInWords(divided.others)};
  const SchemaCounts counts = CountSchemaChanges(divided.schemas);
  return {"schema", SchemaInWords(counts), counts};
}

// Returns the field of a row, "image" or "init image", and its values; of rights and schemas, what they mean.
ShortField ShortFieldOf(const ReportRow& row, const ShortName& name, const ObjectReport& object) {
  if (name.field == "rules" && object.kind.ends_with("Role")) return RightsOfRow(row);
  if (name.field == "versions" && object.kind == "CustomResourceDefinition") return VersionsOfRow(row);
  if (object.kind == "CustomResourceDefinition" && row.live != nullptr) {
    const std::string conversion = ChangeOfConversion(row.path, row.live, row.outcome);
    if (!conversion.empty()) return {"conversion", conversion.substr(conversion.find(' ') + 1)};
  }
  return {name.FieldInWords(), ShortChange(row, "")};
}

}  // namespace

std::string ChangeInWords(const ReportRow& row, std::string_view own_name) {
  const char sign = Sign(row);
  const std::string field = StrCat(sign == '+' || sign == '-' ? std::string(1, sign) : "", FieldInWords(row.path));
  const std::string values = ShortChange(row, own_name);
  return values.empty() ? field : StrCat(field, Before(values), values);
}

namespace {

// Returns true for annotations by which proxies let somebody in or keep him out: whitelist-source-range, auth-url, server-snippet.
bool LimitsAccess(const FieldPath& path) {
  constexpr std::string_view kWords[] = {"allowlist", "auth-", "denylist", "modsecurity", "snippet", "whitelist"};
  if (path.size() != 3 || path[1].name != "annotations") return false;
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return path[2].name.find(word) != std::string::npos; });
}

// Returns the rows that change something, those that say most first: last, those that move items.
std::vector<const ReportRow*> ChangesInOrder(const ObjectReport& object) {
  std::vector<const ReportRow*> out;
  for (const ReportRow& row : object.rows) {
    if (Changes(row)) out.push_back(&row);
  }
  const auto rank = [](const ReportRow* row) { return row->op == RowOp::kMove ? 2 : LimitsAccess(row->path) ? 0 : 1; };
  std::ranges::stable_sort(out, {}, rank);
  return out;
}

// Returns the containers whose limits change, and whose requests do: where several do, each value needs the name of its own.
std::map<std::string_view, std::set<std::string>> ContainersOfResources(const ObjectReport& object) {
  std::map<std::string_view, std::set<std::string>> out;
  for (const ReportRow& row : object.rows) {
    const ShortName name = ShortNameOf(row.path);
    const bool counts = Changes(row) && (name.field == "limits" || name.field == "requests") && !name.item.empty();
    if (counts) out[name.field].insert(ContainerOf(row.path));
  }
  return out;
}

// Returns the fields that change, what is most likely to do harm first.
std::vector<ChangedField> FieldsThatChange(const ObjectReport& object) {
  std::vector<ChangedField> fields;  // in the order of the rows
  const std::map<std::string_view, std::set<std::string>> containers = ContainersOfResources(object);
  std::map<std::string, size_t> places;
  for (const ReportRow* change : ChangesInOrder(object)) {
    const ReportRow& row = *change;
    ShortName name = ShortNameOf(row.path);
    if (const auto of = containers.find(name.field); of != containers.end() && of->second.size() > 1) {
      name.item = StrCat(ContainerOf(row.path), " ", name.item);
    }
    auto [words, content, schema] = ShortFieldOf(row, name, object);
    if (row.op == RowOp::kMove && places.contains(words)) continue;
    const auto [at, is_new] = places.try_emplace(words, fields.size());
    if (is_new) fields.push_back({.name = std::move(words)});
    fields[at->second].schema += schema;
    fields[at->second].Add(row, name, std::move(content), object.name);
  }
  const std::string version = ChangeOfVersionLabel(object);
  const std::vector<RenamedContainer> renamed = RenamedContainers(object.rows);
  for (ChangedField& field : fields) {
    field.TellVersion(version);
    if (!IsContainerList(field.name)) continue;
    for (const RenamedContainer& container : renamed) field.TellRename(container);
  }
  // Beside other fields, nobody looks for a changed label.
  const auto is_minor = [](const ChangedField& field) {
    return field.surprise.empty() && (field.name == "labels" || field.name == "annotations");
  };
  if (!std::ranges::all_of(fields, is_minor)) std::erase_if(fields, is_minor);
  std::ranges::stable_sort(fields, {}, &ChangedField::Rank);
  return fields;
}

}  // namespace

namespace {

// Returns how many words the image of "disk-csi 1.2 → 1.3" shares with the name of the object: its own program shares most.
size_t SharedWords(const std::string& image, const std::string& name) {
  const std::string_view of_image = std::string_view(image).substr(0, image.find_first_of(" :"));
  const auto words = Split(name, '-'), all = Split(of_image, '-');
  return static_cast<size_t>(
      std::ranges::count_if(all, [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); }));
}

std::vector<std::string> ImagesInWords(const ObjectReport& object) {
  const std::string version = ChangeOfVersionLabel(object);
  NamesOnce of_containers, others;
  for (const ReportRow& row : object.rows) {
    for (const auto& [before, after] : ChangedImages(row)) {
      std::string words = WithVersionLabel(ImageInWords(before, after, ""), version);
      if (!words.empty()) (ChangedImage(row) ? of_containers : others).Add(std::move(words));
    }
  }
  for (const RenamedContainer& container : RenamedContainers(object.rows)) {
    std::string words = ChangeOfImage(container.old_image, container.new_image, "");
    if (!words.empty()) of_containers.Add(std::move(words));
  }
  std::vector<std::string> out = of_containers.all();
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [&](const std::string& words) { return SharedWords(words, object.name); });
  for (const std::string& words : others.all()) {
    if (std::ranges::find(out, words) == out.end()) out.push_back(words);
  }
  return out;
}

// Returns "-a, -b and 11 more (5 added)": where none of those that are named is added, or removed, how many of the others are.
std::string NameSomeOfEach(const std::vector<std::string>& words, const std::vector<NamedField>& names, size_t most) {
  const size_t shown = words.size() <= most + 1 ? words.size() : most;
  std::vector<std::string> others;
  for (const auto& [sign, what] : {std::pair('+', "added"), std::pair('-', "removed")}) {
    const auto has_sign = [sign = sign](const NamedField& field) { return field.name.starts_with(sign); };
    const auto end = names.begin() + static_cast<ptrdiff_t>(shown);
    const auto more = std::any_of(names.begin(), end, has_sign) ? 0 : std::count_if(end, names.end(), has_sign);
    if (more > 0) others.push_back(StrCat(more, " ", what));
  }
  return StrCat(NameSome(words, most), others.empty() ? "" : StrCat(" (", Join(others, ", "), ")"));
}

}  // namespace

std::string ChangedFields(const ObjectReport& object) { return DescribeChangedFields(object).all; }

ChangedFieldsInWords DescribeChangedFields(const ObjectReport& object) {
  constexpr size_t kSome = 4, kMostFirst = 2;
  std::vector<std::string> words;
  std::vector<NamedField> names;
  SchemaCounts schema;
  for (const ChangedField& field : FieldsThatChange(object)) {
    words.push_back(field.Words());
    const bool has_keys = (!HasTellingValues(field.name) || IsContainerList(field.name)) && field.is_named_by_items;
    names.push_back({field.NameWithSign(), field.danger, has_keys ? field.items : std::vector<std::string>()});
    schema += field.schema;
  }
  const auto is_image = [](const NamedField& field) { return field.name == "image"; };
  const auto image = std::ranges::find_if(names, is_image);
  const bool is_later = image != names.end() && image - names.begin() >= static_cast<ptrdiff_t>(kMostFirst);
  return {.all = NameSomeOfEach(words, names, kMostNames),
          .some = NameSomeOfEach(words, names, kSome),
          .first = NameSomeOfEach(words, names, kMostFirst),
          .first_lacks_images = is_later && words.size() > kMostFirst + 1,
          .names = std::move(names),
          .images = ImagesInWords(object),
          .schema = schema};
}

size_t CountChanges(const ObjectReport& object) {
  return static_cast<size_t>(std::count_if(object.rows.begin(), object.rows.end(), Changes));
}

}  // namespace smp::explain
