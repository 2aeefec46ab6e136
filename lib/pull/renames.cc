#include "pull/renames.h"

#include <algorithm>
#include <optional>
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
bool Renames::ArePartners(const Group& group, const Value* removed, const Value* added) const {
  return !group.is_map || SameMeaning(*removed, *added);
}

bool Renames::HasTakenPartner(const FieldPath& path, const std::set<std::string>& taken) const {
  const Group* group = FindGroup(path);
  if (group == nullptr || group->removed.empty() || group->added.empty()) return false;
  const std::string text = ToString(path);
  const auto removed = group->removed.find(text), added = group->added.find(text);
  const auto is_partner = [&](const auto& other) {
    if (!taken.contains(other.first)) return false;
    return added != group->added.end() ? ArePartners(*group, other.second, added->second)
                                       : ArePartners(*group, removed->second, other.second);
  };
  if (added != group->added.end()) return std::ranges::any_of(group->removed, is_partner);
  return removed != group->removed.end() && std::ranges::any_of(group->added, is_partner);
}

// Tells whether a new item of a list may be one that live lost, under another name: it is alike, and in the same place.
class Renames::Likeness {
 public:
  Likeness(const Renames& all, const Group& group)
      : spot_(SpotAt(all.kind_, group.path)),
        manifest_(Gaps(all.manifest_.Find(group.path), all.live_.Find(group.path))),
        live_(Gaps(all.live_.Find(group.path), all.manifest_.Find(group.path))) {}

  // `lost`: what identifies the lost item.
  bool Holds(const std::string& lost, const Value& lost_item, const Value& new_item) const {
    const auto gap = manifest_.find(lost), place = live_.find(IdentityOf(new_item, spot_));
    const bool same_place = gap != manifest_.end() && place != live_.end() && gap->second == place->second;
    return same_place && AreAlike(lost_item, new_item, spot_);
  }

  const Spot& spot() const { return spot_; }

 private:
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
};

std::map<std::string, FieldPath> Renames::MayBeKept() const {
  std::map<std::string, FieldPath> out;
  for (const auto& [parent, group] : groups_) {
    if (group.is_map || group.kept.empty() || group.added.empty()) continue;
    const Likeness likeness(*this, group);
    for (const auto& [path, item] : group.kept) {
      const std::string lost = IdentityOf(path.back(), likeness.spot());
      const auto added = std::ranges::find_if(group.added, [&, &was = item](const auto& one) {
        return !out.contains(one.first) && likeness.Holds(lost, *was, *one.second);
      });
      if (added != group.added.end()) out.emplace(added->first, path);
    }
  }
  return out;
}

// The changes of one list or map.
class Renames::Combiner {
 public:
  Combiner(const Renames& all, const Group& group, std::vector<Change>& changes, const ValueWriter& writer)
      : all_(all), group_(group), changes_(changes), writer_(writer), spot_(SpotAt(all.kind_, group.path)) {
    for (size_t i = 0; i < changes.size(); ++i) {
      const std::string path = ToString(changes[i].path);
      if (group.removed.contains(path) && !changes[i].value) removed_.push_back(i);
      if (group.added.contains(path) && changes[i].value) added_.push_back(i);
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
      const bool is_taken =
          std::ranges::any_of(added_, [&, &text = path](size_t i) { return ToString(changes_[i].path) == text; });
      if (!is_taken) others.push_back(path);
    }
    const bool emptied = size == removed_.size() && added_.empty();
    if (others.empty() || (!emptied && owners_known)) return "";
    return StrCat("live has ", NameSome(others, kMostNamed), " instead, which pull does not take",
                  owners_known ? "" : " because live has no managedFields", "; --field ", ToString(group_.path),
                  " --added takes both");
  }

  const std::vector<size_t>& removed() const { return removed_; }

  // Returns the removals that other changes make, too.
  std::vector<size_t> Pair() {
    std::vector<size_t> out;
    if (group_.is_map) return out;
    const Likeness likeness(all_, group_);
    std::set<size_t> free(added_.begin(), added_.end());
    for (const size_t removed : removed_) {
      const Value& item = *group_.removed.at(ToString(changes_[removed].path));
      const std::string identity = Identity(removed);
      const auto partner = std::ranges::find_if(free, [&](size_t added) {
        return likeness.Holds(identity, item, *group_.added.at(ToString(changes_[added].path)));
      });
      if (partner == free.end()) continue;
      Change& change = changes_[*partner];
      change.instead_of = changes_[removed].path.back();
      change.value = writer_.Written(*change.value, &item, PlaceOfItems());
      free.erase(partner);
      out.push_back(removed);
    }
    return out;
  }

  // Numbers the changes that belong together, from `last` + 1 on, and sets it to the last number. Other members of a map have
  // nothing to do with each other.
  void SetGroups(size_t& last) {
    std::map<std::string, size_t> numbers;
    for (const size_t i : added_) numbers.emplace(Shared(*group_.added.at(ToString(changes_[i].path))), 0);
    for (const size_t i : removed_) {
      const auto number = numbers.find(Shared(*group_.removed.at(ToString(changes_[i].path))));
      if (number == numbers.end()) continue;
      if (number->second == 0) number->second = ++last;
      changes_[i].group = number->second;
    }
    for (const size_t i : added_) changes_[i].group = numbers.at(Shared(*group_.added.at(ToString(changes_[i].path))));
  }

 private:
  // Returns what both halves have in common.
  std::string Shared(const Value& half) const { return group_.is_map ? WriteJson(half) : ""; }

  std::string Identity(size_t change) const { return IdentityOf(changes_[change].path.back(), spot_); }

  Place PlaceOfItems() const {
    return PlaceOf(*spot_.schema, nullptr, spot_.type, spot_.schema->type(spot_.type).storage);
  }

  const Renames& all_;
  const Group& group_;
  std::vector<Change>& changes_;
  const ValueWriter& writer_;
  const Spot spot_;
  std::vector<size_t> removed_, added_;  // indices of changes
};

std::vector<Left> Renames::Combine(std::vector<Change>& changes, const ValueWriter& writer, bool owners_known) const {
  std::vector<Left> left;
  std::set<size_t> gone;
  size_t number = 0;
  for (const auto& [path, group] : groups_) {
    if (group.removed.empty() || group.added.empty()) continue;
    Combiner combiner(*this, group, changes, writer);
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
