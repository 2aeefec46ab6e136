#include "explain/nested_changes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/line_diff.h"

namespace smp::explain {

namespace {

using Items = std::span<const Value>;

// Fields that name the items of a list in its context. The schema names none, or the list would be merged.
constexpr std::array<std::string_view, 10> kNamingFields = {"name", "job_name", "resourceName", "alert", "record",
                                                            "key",  "username", "id",           "host",  "type"};

// Fields that tell items apart where not all have the same one, or have several: rules of Prometheus, panels of dashboards.
constexpr std::array<std::string_view, 4> kTitles = {"alert", "record", "title", "name"};

constexpr size_t kMostLists = 8;          // in one another; items are compared as wholes at each level
constexpr size_t kMostSteps = 1UL << 20;  // of all paths

bool IsListOfMaps(const Value& value) {
  return value.is_array() &&
         std::all_of(value.Items().begin(), value.Items().end(), [](const Value& item) { return item.is_object(); });
}

bool CanDescend(const Value& before, const Value& after) {
  return (before.is_object() && after.is_object()) || (IsListOfMaps(before) && IsListOfMaps(after));
}

// Returns true if each item has the field, as a string that no other item of the list has.
bool Names(Items items, std::string_view field) {
  std::set<std::string_view> names;
  return std::all_of(items.begin(), items.end(), [&](const Value& item) {
    const Value* name = item.Find(field);
    return name != nullptr && name->is_string() && names.insert(name->AsString()).second;
  });
}

struct HashOfValue {
  size_t operator()(const Value* value) const { return HashValue(*value); }
};
struct SameValue {
  bool operator()(const Value* a, const Value* b) const { return *a == *b; }
};

std::vector<LineEdit> DiffItems(Items before, Items after) {
  std::unordered_map<const Value*, uint32_t, HashOfValue, SameValue> ids;
  const auto ids_of = [&](Items items) {
    std::vector<uint32_t> out;
    for (const Value& item : items) {
      out.push_back(ids.try_emplace(&item, static_cast<uint32_t>(ids.size())).first->second);
    }
    return out;
  };
  const std::vector<uint32_t> before_ids = ids_of(before);
  return DiffLines(before_ids, ids_of(after));
}

class Comparison {
 public:
  explicit Comparison(OrderOfNamed order) : order_(order) {}

  // REQUIRES: CanDescend(before, after).
  bool Add(const Value& before, const Value& after) {
    if (before.is_object()) return AddMembers(before, after);
    ++lists_;
    const std::string_view field = NamingField(before.Items(), after.Items());
    const bool told =
        field.empty() ? AddItems(before.Items(), after.Items()) : AddNamed(before.Items(), after.Items(), field);
    --lists_;
    return told;
  }

  bool too_long() const { return steps_ > kMostSteps; }
  std::vector<NestedChange> TakeChanges() { return std::move(changes_); }

 private:
  // The recursion is bounded by the parser's kMaxDepth. Only what has no members is compared here: done for each map and
  // those above it, comparing would be quadratic.
  void AddPair(const Value* before, const Value* after, PathStep step) {
    const bool both = before != nullptr && after != nullptr;
    const bool descends = both && CanDescend(*before, *after) && (before->is_object() || lists_ < kMostLists);
    if (both && !descends && *before == *after) return;
    path_.push_back(std::move(step));
    const bool told = descends && AddBelow(*before, *after);
    if (!told) AddChange(before, after);
    path_.pop_back();
  }

  // Paths that are longer than all texts are of no use to anybody.
  void AddChange(const Value* before, const Value* after) {
    steps_ += path_.size();
    if (!too_long()) changes_.push_back({path_, before, after});
  }

  // Returns false, and adds nothing, if the changes would not tell all.
  bool AddBelow(const Value& before, const Value& after) {
    const size_t size = changes_.size();
    if (Add(before, after)) return true;
    changes_.resize(size);
    return false;
  }

  bool AddMembers(const Value& before, const Value& after) {
    const auto old = before.Members(), now = after.Members();
    for (size_t i = 0, j = 0; i < old.size() || j < now.size();) {
      const bool removed = j == now.size() || (i < old.size() && old[i].name < now[j].name);
      const bool added = i == old.size() || (j < now.size() && now[j].name < old[i].name);
      AddPair(added ? nullptr : &old[i].value, removed ? nullptr : &now[j].value,
              PathStep::Field(added ? now[j].name : old[i].name));
      i += added ? 0 : 1;
      j += removed ? 0 : 1;
    }
    return true;
  }

  bool AddNamed(Items before, Items after, std::string_view field) {
    std::map<std::string_view, const Value*> by_name;
    for (const Value& item : before) by_name[item.Find(field)->AsString()] = &item;
    const Value* last = nullptr;
    for (const Value& item : after) {
      const auto at = by_name.find(item.Find(field)->AsString());
      const Value* partner = at == by_name.end() ? nullptr : at->second;
      const bool order_matters = order_ == OrderOfNamed::kMatters || !path_.empty();
      if (order_matters && partner != nullptr && partner < last) return false;
      if (partner != nullptr) last = partner;
      AddPair(partner, &item, NameOfItem(item, field));
      if (at != by_name.end()) by_name.erase(at);
    }
    for (const Value& item : before) {
      if (by_name.contains(item.Find(field)->AsString())) AddPair(&item, nullptr, NameOfItem(item, field));
    }
    return true;
  }

  static PathStep NameOfItem(const Value& item, std::string_view field) { return KeyStep(item, {std::string(field)}); }

  // Returns the first field of an item that is a title; "" if it has none.
  static std::string_view TitleFieldOf(const Value& item) {
    for (const std::string_view field : kTitles) {
      const Value* title = item.is_object() ? item.Find(field) : nullptr;
      if (title != nullptr && title->is_string()) return field;
    }
    return {};
  }

  static std::string_view TitleOf(const Value& item) {
    const std::string_view field = TitleFieldOf(item);
    return field.empty() ? "" : item.Find(field)->AsString();
  }

  using Titles = std::map<std::string_view, size_t>;  // and how many items of a list have them

  static Titles TitlesOf(Items items) {
    Titles out;
    for (const Value& item : items) ++out[TitleOf(item)];
    return out;
  }

  static size_t CountOf(std::string_view title, const Titles& titles) {
    const auto at = titles.find(title);
    return at == titles.end() ? 0 : at->second;
  }

  // Returns the step to an item: by its title if no other item of the lists has it, else by its index. `others`: the titles of
  // the other list, where `partner` is the same item; nullptr: it has none.
  static PathStep StepTo(Items items, size_t i, const Titles& titles, const Value* partner, const Titles& others) {
    const std::string_view field = TitleFieldOf(items[i]), title = TitleOf(items[i]);
    const size_t own = partner != nullptr && TitleOf(*partner) == title ? 1 : 0;
    const bool unique = CountOf(title, titles) == 1 && CountOf(title, others) == own;
    return !title.empty() && unique ? NameOfItem(items[i], field) : PathStep::Index(static_cast<int64_t>(i));
  }

  using Run = std::vector<const LineEdit*>;

  // Returns the added item for each removed one, in order; nullptr: it has none. As many of both are pairs as they are;
  // else those with a title that no other of the run has.
  static Run PartnersOf(Items before, const Run& removed, Items after, const Run& added) {
    if (removed.size() == added.size()) return added;
    std::map<std::string_view, std::vector<const LineEdit*>> by_title;
    for (const LineEdit* edit : added) by_title[TitleOf(after[edit->after])].push_back(edit);
    std::map<std::string_view, size_t> uses;
    for (const LineEdit* edit : removed) ++uses[TitleOf(before[edit->before])];
    Run out(removed.size());
    size_t next = 0;  // pairs do not cross
    for (size_t i = 0; i < removed.size(); ++i) {
      const std::string_view title = TitleOf(before[removed[i]->before]);
      const auto at = by_title.find(title);
      const bool one = !title.empty() && uses[title] == 1 && at != by_title.end() && at->second.size() == 1;
      if (!one || at->second.front()->after < next) continue;
      out[i] = at->second.front();
      next = out[i]->after + 1;
    }
    return out;
  }

  // Pairs the removed and added items between two that both lists have, in order.
  bool AddItems(Items before, Items after) {
    const Titles old_titles = TitlesOf(before), new_titles = TitlesOf(after);
    Run removed, added;
    const auto flush = [&] {
      const Run partners = PartnersOf(before, removed, after, added);
      const std::set<const LineEdit*> paired(partners.begin(), partners.end());
      for (size_t i = 0; i < removed.size(); ++i) {
        const Value* then = &before[removed[i]->before];
        const Value* now = partners[i] != nullptr ? &after[partners[i]->after] : nullptr;
        AddPair(then, now,
                now != nullptr ? StepTo(after, partners[i]->after, new_titles, then, old_titles)
                               : StepTo(before, removed[i]->before, old_titles, nullptr, new_titles));
      }
      for (const LineEdit* edit : added) {
        if (paired.contains(edit)) continue;
        AddPair(nullptr, &after[edit->after], StepTo(after, edit->after, new_titles, nullptr, old_titles));
      }
      removed.clear();
      added.clear();
    };
    const std::vector<LineEdit> edits = DiffItems(before, after);
    for (const LineEdit& edit : edits) {
      if (edit.kind == LineEdit::Kind::kKeep) flush();
      if (edit.kind == LineEdit::Kind::kRemove) removed.push_back(&edit);
      if (edit.kind == LineEdit::Kind::kAdd) added.push_back(&edit);
    }
    flush();
    return true;
  }

  OrderOfNamed order_;
  FieldPath path_;
  size_t lists_ = 0;  // above the values
  size_t steps_ = 0;  // of all paths
  std::vector<NestedChange> changes_;
};

}  // namespace

std::string_view NamingField(Items before, Items after) {
  for (const std::string_view field : kNamingFields) {
    if (Names(before, field) && Names(after, field)) return field;
  }
  return {};
}

std::optional<std::vector<NestedChange>> NestedChanges(const Value& before, const Value& after, OrderOfNamed order) {
  if (!CanDescend(before, after)) return std::nullopt;
  Comparison comparison(order);
  if (!comparison.Add(before, after) || comparison.too_long()) return std::nullopt;
  return comparison.TakeChanges();
}

}  // namespace smp::explain
