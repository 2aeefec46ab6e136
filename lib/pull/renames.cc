#include "pull/renames.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <span>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "smp/meaning.h"
#include "value/json.h"

namespace smp::pull {

namespace {

FieldPath Parent(FieldPath path) {
  path.pop_back();
  return path;
}

std::span<const Value> ItemsOf(const Value* list) {
  return list != nullptr && list->is_array() ? list->Items() : std::span<const Value>();
}

Spot SpotAt(const explain::KindOfObject& kind, const FieldPath& path) {
  Spot spot = Spot::Of(kind);
  for (const PathStep& step : path) spot = spot.At(step);
  return spot;
}

// Returns true if at least half of what the items have beside their keys is the same.
bool AreAlike(const Value& removed, const Value& added, const Spot& list) {
  if (!removed.is_object() || !added.is_object() || !list.is_keyed_list()) return false;
  const auto& keys = list.field->identity_keys;
  const Place place = PlaceOf(*list.schema, nullptr, list.type, list.schema->type(list.type).storage);
  size_t others = 0, same = 0;
  for (const Member& m : removed.Members()) {
    if (std::ranges::find(keys, m.name) != keys.end()) continue;
    const Value* beside = added.Find(m.name);
    ++others;
    same += beside != nullptr && SameMeaning(m.value, *beside, PlaceOfMember(place, m.name)) ? 1 : 0;
  }
  return same * 2 >= others;
}

// Returns what the item has beside its keys, as text.
std::string RestOf(const Value& item, const std::vector<std::string>& keys) {
  std::string out;
  for (const Member& m : item.Members()) {
    const bool is_key = std::ranges::find(keys, m.name) != keys.end();
    if (!is_key) out += StrCat(WriteJson(Value::UnownedString(m.name)), ":", WriteJson(m.value), ",");
  }
  return out;
}

}  // namespace

void Renames::AddRemoved(const FieldPath& path, const Value* manifest) {
  if (!path.empty() && manifest != nullptr) GroupOf(path).removed.emplace(ToString(path), manifest);
}

void Renames::AddNew(const FieldPath& path, const Value* live) {
  if (!path.empty() && live != nullptr) GroupOf(path).added.emplace(ToString(path), live);
}

void Renames::AddKept(const FieldPath& path, const Value* item) {
  if (!path.empty() && item != nullptr) GroupOf(path).kept.emplace_back(path, item);
}

Renames::Group& Renames::GroupOf(const FieldPath& path) {
  const FieldPath parent = Parent(path);
  return groups_.try_emplace(ToString(parent), Group{parent, path.back().kind == PathStep::Kind::kField}).first->second;
}

const Renames::Group* Renames::FindGroup(const FieldPath& path) const {
  const auto at = path.empty() ? groups_.end() : groups_.find(ToString(Parent(path)));
  return at == groups_.end() ? nullptr : &at->second;
}

// In a list any removed item may have become any new one; in a map only a member that has kept its value.
std::string Renames::Shared(const Group& group, const Value& half) {
  if (!group.is_map) return "";
  Arena arena;
  return WriteJson(WithoutNulls(half, arena));
}

void Renames::AddTaken(const FieldPath& path) {
  const auto at = path.empty() ? groups_.end() : groups_.find(ToString(Parent(path)));
  if (at == groups_.end()) return;
  Group& group = at->second;
  const std::string text = ToString(path);
  const auto removed = group.removed.find(text), added = group.added.find(text);
  if (removed != group.removed.end()) group.taken_removed.insert(Shared(group, *removed->second));
  if (added != group.added.end()) group.taken_added.insert(Shared(group, *added->second));
}

bool Renames::HasTakenPartner(const FieldPath& path) const {
  const Group* group = FindGroup(path);
  if (group == nullptr) return false;
  const std::string text = ToString(path);
  const auto removed = group->removed.find(text), added = group->added.find(text);
  if (added != group->added.end()) return group->taken_removed.contains(Shared(*group, *added->second));
  return removed != group->removed.end() && group->taken_added.contains(Shared(*group, *removed->second));
}

// Finds the new item of a list that may be one that live lost, under another name: it is alike, and in the same place.
class Renames::Partners {
 public:
  Partners(const Renames& all, const Group& group)
      : spot_(SpotAt(all.kind_, group.path)),
        manifest_(Gaps(all.manifest_.Find(group.path), all.live_.Find(group.path))),
        live_(Gaps(all.live_.Find(group.path), all.manifest_.Find(group.path))) {}

  // `number`: of the new item. Of several that would do, the one with the lowest number is taken.
  void Offer(size_t number, const Value& new_item) {
    const auto place = live_.find(IdentityOf(new_item, spot_));
    if (place == live_.end() || !new_item.is_object() || !spot_.is_keyed_list()) return;
    Gap& gap = gaps_[place->second];
    gap.free.emplace(number, &new_item);
    gap.by_rest[Rest(new_item)].emplace(number, &new_item);
  }

  // Returns the number of a new item, which is not offered any more; nullopt if there is none. `lost`: the step of the path.
  std::optional<size_t> Take(const PathStep& lost, const Value& lost_item) {
    const auto place = manifest_.find(IdentityOf(lost, spot_));
    const auto gap = place == manifest_.end() ? gaps_.end() : gaps_.find(place->second);
    if (gap == gaps_.end() || !lost_item.is_object()) return std::nullopt;
    const std::optional<size_t> found = Find(gap->second, lost_item);
    if (found) gap->second.Remove(*found, Rest(*gap->second.free.at(*found)));
    return found;
  }

 private:
  using Offers = std::map<size_t, const Value*>;  // by number
  struct Gap {
    Offers free;
    std::map<std::string, Offers> by_rest;  // by what they have beside their keys

    void Remove(size_t number, const std::string& rest) {
      by_rest.at(rest).erase(number);
      free.erase(number);
    }
  };

  // So many items are compared: all with all would take long if a long list has got new items only.
  static constexpr std::ptrdiff_t kMostCompared = 50;

  std::optional<size_t> Find(const Gap& gap, const Value& lost_item) const {
    if (const auto found = FirstAlike(lost_item, gap.free)) return found;
    const auto same = gap.by_rest.find(Rest(lost_item));
    return same == gap.by_rest.end() ? std::nullopt : FirstAlike(lost_item, same->second);
  }

  std::optional<size_t> FirstAlike(const Value& lost_item, const Offers& offers) const {
    for (const auto& [number, item] : offers | std::views::take(kMostCompared)) {
      if (AreAlike(lost_item, *item, spot_)) return number;
    }
    return std::nullopt;
  }

  std::string Rest(const Value& item) const {
    return spot_.field == nullptr ? "" : RestOf(item, spot_.field->identity_keys);
  }

  // Returns for each item that the other list lacks how many items before it both have: in the order of one list that is the
  // place of the gap in which it is.
  std::map<std::string, size_t> Gaps(const Value* list, const Value* other) const {
    std::set<std::string> known;
    for (const Value& item : ItemsOf(other)) known.insert(IdentityOf(item, spot_));
    std::map<std::string, size_t> out;
    size_t both = 0;
    for (const Value& item : ItemsOf(list)) {
      const std::string identity = IdentityOf(item, spot_);
      known.contains(identity) ? void(++both) : void(out.emplace(identity, both));
    }
    return out;
  }

  const Spot spot_;
  const std::map<std::string, size_t> manifest_, live_;  // gaps by what identifies the items
  std::map<size_t, Gap> gaps_;                           // by place
};

void Renames::AddMayBeKept(const Group& group, std::map<std::string, FieldPath>& out) const {
  Partners partners(*this, group);
  std::vector<const std::string*> added;
  for (const auto& [path, item] : group.added) {
    partners.Offer(added.size(), *item);
    added.push_back(&path);
  }
  for (const auto& [path, item] : group.kept) {
    if (const auto number = partners.Take(path.back(), *item)) out.emplace(*added[*number], path);
  }
}

std::map<std::string, FieldPath> Renames::MayBeKept() const {
  std::map<std::string, FieldPath> out;
  for (const auto& [parent, group] : groups_) {
    if (!group.is_map && !group.kept.empty() && !group.added.empty()) AddMayBeKept(group, out);
  }
  return out;
}

// The changes of one list or map.
class Renames::Combiner {
 public:
  // `of_group`: the indices of those changes that are in the list or map.
  Combiner(const Renames& all, const Group& group, std::vector<Change>& changes, const std::vector<size_t>& of_group,
           const ValueWriter& writer)
      : all_(all), group_(group), changes_(changes), writer_(writer), spot_(SpotAt(all.kind_, group.path)) {
    for (const size_t i : of_group) {
      const std::string path = ToString(changes[i].path);
      const auto removed = group.removed.find(path), added = group.added.find(path);
      if (removed != group.removed.end() && !changes[i].value) removed_.emplace_back(i, removed->second);
      if (added == group.added.end() || !changes[i].value) continue;
      added_.emplace_back(i, added->second);
      added_paths_.insert(path);
    }
  }

  // Returns why the removals must be left; "" if they may be made.
  std::string WhyLeft(bool owners_known) const {
    if (removed_.empty() || group_.is_map) return "";
    const Value* live = all_.live_.Find(group_.path);
    const size_t size = ItemsOf(all_.manifest_.Find(group_.path)).size();
    if (ItemsOf(live).empty()) return "";
    std::vector<std::string> others;
    for (const auto& [path, value] : group_.added) {
      if (!added_paths_.contains(path)) others.push_back(path);
    }
    const bool emptied = size == removed_.size() && added_.empty();
    if (others.empty() || (!emptied && owners_known)) return "";
    return StrCat("live has ", NameSome(others, kMostNamed), " instead, which pull does not take",
                  owners_known ? "" : " because live has no managedFields", "; --field ", ToString(group_.path),
                  " --added takes both");
  }

  std::vector<size_t> removed() const {
    std::vector<size_t> out;
    for (const auto& [i, item] : removed_) out.push_back(i);
    return out;
  }

  // Returns the removals that other changes make, too.
  std::vector<size_t> Pair() {
    std::vector<size_t> out;
    if (group_.is_map) return out;
    Partners partners(all_, group_);
    for (const auto& [i, item] : added_) partners.Offer(i, *item);
    for (const auto& [i, item] : removed_) {
      const std::optional<size_t> partner = partners.Take(changes_[i].path.back(), *item);
      if (!partner) continue;
      Change& change = changes_[*partner];
      change.instead_of = changes_[i].path.back();
      change.value = writer_.Written(*change.value, item, PlaceOfItems());
      out.push_back(i);
    }
    return out;
  }

  // Numbers the changes that belong together, from `last` + 1 on, and sets it to the last number. Other members of a map have
  // nothing to do with each other.
  void SetGroups(size_t& last) {
    std::map<std::string, size_t> numbers;
    for (const auto& [i, item] : added_) numbers.emplace(Shared(group_, *item), 0);
    for (const auto& [i, item] : removed_) {
      const auto number = numbers.find(Shared(group_, *item));
      if (number == numbers.end()) continue;
      if (number->second == 0) number->second = ++last;
      changes_[i].group = number->second;
    }
    for (const auto& [i, item] : added_) changes_[i].group = numbers.at(Shared(group_, *item));
  }

 private:
  Place PlaceOfItems() const {
    return PlaceOf(*spot_.schema, nullptr, spot_.type, spot_.schema->type(spot_.type).storage);
  }

  const Renames& all_;
  const Group& group_;
  std::vector<Change>& changes_;
  const ValueWriter& writer_;
  const Spot spot_;
  std::vector<std::pair<size_t, const Value*>> removed_, added_;  // indices of changes, and the items
  std::set<std::string> added_paths_;
};

std::vector<Left> Renames::Combine(std::vector<Change>& changes, const ValueWriter& writer, bool owners_known) const {
  std::vector<Left> left;
  std::set<size_t> gone;
  std::map<std::string, std::vector<size_t>> of_groups;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (!changes[i].path.empty()) of_groups[ToString(Parent(changes[i].path))].push_back(i);
  }
  size_t number = 0;
  for (const auto& [path, group] : groups_) {
    if (group.removed.empty() || group.added.empty()) continue;
    Combiner combiner(*this, group, changes, of_groups[path], writer);
    const std::string why = combiner.WhyLeft(owners_known);
    for (const size_t i : why.empty() ? std::vector<size_t>() : combiner.removed()) {
      left.push_back({changes[i].path, why});
      gone.insert(i);
    }
    if (!why.empty()) continue;
    combiner.SetGroups(number);
    for (const size_t i : combiner.Pair()) gone.insert(i);
  }
  std::vector<Change> kept;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (!gone.contains(i)) kept.push_back(std::move(changes[i]));
  }
  changes = std::move(kept);
  return left;
}

}  // namespace smp::pull
