#include "differential/random_list.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "differential/three_way_rule.h"

namespace smp {

namespace {

class Finder {
 public:
  explicit Finder(const Schema& schema) : schema_(schema) {}

  void FindBelow(TypeId type, ListPlace& place) {
    if (std::find(entered_.begin(), entered_.end(), type) != entered_.end()) return;
    entered_.push_back(type);
    for (const Field& field : schema_.type(type).fields) {
      place.path.push_back(&field);
      Visit(field, place);
      place.path.pop_back();
    }
    entered_.pop_back();
  }

  std::vector<ListPlace> found;

 private:
  void Visit(const Field& field, ListPlace& place) {
    if (!field.is_list) {
      const bool whole = field.patch.replace || schema_.type(field.type).is_atomic_map();
      if (field.kind == TypeKind::kObject && !whole) FindBelow(field.type, place);
      return;
    }
    if (!IsMerged(field)) return;
    found.push_back(place);
    if (!IdentityFields(field).empty()) FindBelow(field.type, place);
  }

  const Schema& schema_;
  std::vector<TypeId> entered_;
};

// What the three objects have at one place.
enum Side { kOriginal, kModified, kLive, kSides };
using Maps = std::array<std::vector<Member>, kSides>;
using Items = std::vector<Value>;

enum class Collisions { kNone, kMergeKeys, kIdentities };

class Builder {
 public:
  Builder(const ListPlace& place, uint64_t seed)
      : place_(place), schema_(*place.schema), random_(schema_, OptionsOf(seed), seed) {
    const uint64_t dice = random_.Below(10);
    collisions_ = dice < 2 ? Collisions::kNone : dice < 7 ? Collisions::kMergeKeys : Collisions::kIdentities;
    keyless_ = random_.Chance(3);
  }

  Situation Build() {
    Maps maps = MapAt(place_.resource->type, 0);
    Situation out;
    out.place = &place_;
    out.original = Identified(std::move(maps[kOriginal]), {});
    out.modified = Identified(std::move(maps[kModified]), {});
    out.live = Identified(std::move(maps[kLive]), {{"resourceVersion", arena_.String("7")}});
    out.arena = std::move(arena_);
    return out;
  }

 private:
  static RandomOptions OptionsOf(uint64_t seed) { return {.duplicate_keys = seed % 3 == 0, .nulls = seed % 5 == 0}; }

  Value Identified(std::vector<Member> members, std::vector<Member> metadata) {
    for (const Member& m : members) {
      if (m.name == "metadata") metadata.insert(metadata.end(), m.value.Members().begin(), m.value.Members().end());
    }
    metadata.push_back({"name", arena_.String("x")});
    members.push_back({"metadata", arena_.Object(std::move(metadata))});
    members.push_back({"apiVersion", arena_.String(place_.resource->gvk.ApiVersion())});
    members.push_back({"kind", arena_.String(place_.resource->gvk.kind)});
    return arena_.Object(std::move(members));
  }

  Maps MapAt(TypeId type, size_t step) {
    const Field& field = *place_.path[step];
    Maps maps;
    AddNoise(schema_.type(type), step, maps);
    if (step + 1 == place_.path.size()) {
      AddLists(field, maps);
      return maps;
    }
    Maps inner = MapAt(field.type, step + 1);
    if (field.is_list) return WithItems(field, std::move(inner), std::move(maps));
    for (size_t side = 0; side < kSides; ++side) {
      maps[side].push_back({field.name, arena_.Object(std::move(inner[side]))});
    }
    return maps;
  }

  // Another field that some sides have.
  void AddNoise(const Type& type, size_t step, Maps& maps) {
    if (type.fields.size() < 2 || !random_.Chance(20)) return;
    const Field& other = type.fields[random_.Below(type.fields.size())];
    static const std::set<std::string_view> kNotOurs = {"apiVersion", "kind", "metadata"};
    const bool in_metadata = step == 1 && place_.path[0]->name == "metadata";  // of the object, not of a template
    if (&other == place_.path[step] || in_metadata || (step == 0 && kNotOurs.contains(other.name))) return;
    const Value values[] = {random_.OfField(other, 6, arena_), random_.OfField(other, 6, arena_)};
    for (std::vector<Member>& members : maps) {
      if (random_.Chance(60)) members.push_back({other.name, values[random_.Below(2)]});
    }
  }

  // A list on the way: its item, and now and then somebody else's.
  Maps WithItems(const Field& list, Maps inner, Maps maps) {
    const std::vector<Member> keys = KeysOf(list, 0), others = KeysOf(list, 5);
    for (size_t side = 0; side < kSides; ++side) {
      inner[side].insert(inner[side].end(), keys.begin(), keys.end());
      Items items = {arena_.Object(std::move(inner[side]))};
      if (side == kLive && random_.Chance(10)) {
        items.insert(items.begin() + static_cast<long>(random_.Below(2)), arena_.Object(others));
      }
      maps[side].push_back({list.name, arena_.Array(items)});
    }
    return maps;
  }

  std::vector<std::string> KeyNames(const Field& list) const {
    std::vector<std::string> names = IdentityFields(list);
    if (!place_.custom()) {
      for (const std::string& key : list.patch_keys) {
        if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
      }
    }
    return names;
  }

  std::vector<Member> KeysOf(const Field& list, uint64_t n) {
    std::vector<Member> keys;
    for (const std::string& name : KeyNames(list)) keys.push_back({arena_.Copy(name), KeyValue(list, name, n)});
    return keys;
  }

  // The n-th value that the tests have for a field; the first is the schema's default where it has one.
  Value KeyValue(const Field& list, const std::string& name, uint64_t n) {
    const Field* field = schema_.Find(list.type, name);
    if (n == 0 && HasDefault(list, name)) return *field->default_value;
    return Scalar(field == nullptr ? TypeKind::kString : field->kind, n);
  }

  bool HasDefault(const Field& list, const std::string& name) const {
    const Field* field = schema_.Find(list.type, name);
    const Value* value = field == nullptr ? nullptr : field->default_value;
    return value != nullptr && value->is_string() && !value->empty();
  }

  Value Scalar(TypeKind kind, uint64_t n) {
    switch (kind) {
      case TypeKind::kInteger:
      case TypeKind::kNumber: return Value::Int(static_cast<int64_t>(n) + 1);
      case TypeKind::kBoolean: return Value::Bool(n % 2 == 0);
      case TypeKind::kIntOrString: return n % 2 == 0 ? Value::Int(static_cast<int64_t>(n)) : arena_.String("http");
      default: return arena_.String(std::string(1, static_cast<char>('a' + n)));
    }
  }

  void AddLists(const Field& list, Maps& maps) {
    const Items original = Random(list);
    const Items modified = random_.Chance(80) ? Mutated(original, list) : Random(list);
    const Items* const origins[] = {&original, &original, &original, &modified};
    Items live = random_.Chance(85) ? Mutated(*origins[random_.Below(4)], list) : Random(list);
    if (random_.Chance(30)) live = Mutated(live, list);
    const Items* const lists[kSides] = {&original, &modified, &live};
    const int absent[kSides] = {10, 4, 6};
    for (size_t side = 0; side < kSides; ++side) {
      if (random_.Chance(absent[side])) continue;
      maps[side].push_back({list.name, arena_.Array(Thinned(*lists[side], list))});
    }
  }

  Items Random(const Field& list) {
    Items items;
    for (uint64_t n = random_.Below(5); n > 0; --n) items.push_back(Item(list));
    return items;
  }

  Value Item(const Field& list) {
    if (IdentityFields(list).empty()) return Scalar(schema_.type(list.type).kind, random_.Below(4));
    std::vector<Member> members;
    for (uint64_t n = random_.Below(3); n > 0; --n) AddPayload(list, members);
    for (const std::string& name : KeyNames(list)) AddKey(list, name, members);
    return arena_.Object(std::move(members));
  }

  void AddPayload(const Field& list, std::vector<Member>& members) {
    const auto& fields = schema_.type(list.type).fields;
    if (fields.empty()) return;
    const Field& field = fields[random_.Below(fields.size())];
    members.push_back({field.name, random_.OfField(field, 6, arena_)});
  }

  void AddKey(const Field& list, const std::string& name, std::vector<Member>& members) {
    const bool merge_key = IsMergeKey(list, name);
    const bool left_out = merge_key ? keyless_ && random_.Chance(15) : HasDefault(list, name) && random_.Chance(30);
    std::erase_if(members, [&](const Member& m) { return m.name == name; });
    if (!left_out) members.push_back({arena_.Copy(name), KeyValue(list, name, random_.Below(merge_key ? 3 : 2))});
  }

  bool IsMergeKey(const Field& list, const std::string& name) const {
    if (place_.custom()) return name == list.identity_keys.front();
    return std::find(list.patch_keys.begin(), list.patch_keys.end(), name) != list.patch_keys.end();
  }

  Items Mutated(const Items& from, const Field& list) {
    Items items;
    for (const Value& item : from) {
      if (random_.Chance(15)) continue;
      items.push_back(random_.Chance(50) ? item : Changed(item, list));
      if (random_.Chance(8)) items.push_back(Changed(item, list));
    }
    if (random_.Chance(35))
      items.insert(items.begin() + static_cast<long>(random_.Below(items.size() + 1)), Item(list));
    if (random_.Chance(25)) {
      for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random_.Below(i)]);
    }
    return items;
  }

  Value Changed(const Value& item, const Field& list) {
    if (!item.is_object()) return Item(list);
    std::vector<Member> members;
    const std::vector<std::string> keys = KeyNames(list);
    for (const Member& m : item.Members()) {
      const bool key = std::find(keys.begin(), keys.end(), m.name) != keys.end();
      if (key || !random_.Chance(25)) members.push_back(m);
    }
    if (random_.Chance(50)) AddPayload(list, members);
    for (const std::string& name : keys) {
      const bool lost = std::none_of(members.begin(), members.end(), [&](const Member& m) { return m.name == name; });
      if (lost || random_.Chance(15)) AddKey(list, name, members);
    }
    // A payload may have hit a key.
    for (const std::string& name : keys) {
      if (const Value* key = item.Find(name); key != nullptr && random_.Chance(80)) {
        std::erase_if(members, [&](const Member& m) { return m.name == name; });
        members.push_back({arena_.Copy(name), *key});
      }
    }
    return arena_.Object(std::move(members));
  }

  // Without the items that collide with an earlier one in a way that this situation has not.
  Items Thinned(const Items& items, const Field& list) {
    if (collisions_ == Collisions::kIdentities) return items;
    Items out;
    std::set<std::string> seen;
    for (const Value& item : items) {
      if (seen.insert(CollisionKey(item, list)).second) out.push_back(item);
    }
    return out;
  }

  std::string CollisionKey(const Value& item, const Field& list) {
    if (!item.is_object()) return item.is_string() ? std::string(item.AsString()) : std::to_string(HashValue(item));
    if (collisions_ == Collisions::kMergeKeys) return IdentityOf(item, list, schema_);
    std::string text;
    for (const std::string& name : KeyNames(list)) {
      const Value* value = item.Find(name);
      if (IsMergeKey(list, name) && value != nullptr) text += StrCat(name, std::to_string(HashValue(*value)), ",");
    }
    return text;
  }

  const ListPlace& place_;
  const Schema& schema_;
  RandomObject random_;
  Collisions collisions_;
  bool keyless_;
  Arena arena_;
};

}  // namespace

bool ListPlace::ambiguous() const {
  const Field& list = *path.back();
  return !custom() && !list.identity_keys.empty() && list.identity_keys != list.patch_keys;
}

std::string ToString(const ListPlace& place) {
  std::string out = StrCat(place.resource->gvk.ApiVersion(), "/", place.resource->gvk.kind, " ");
  for (size_t i = 0; i < place.path.size(); ++i) {
    out += StrCat(i == 0 ? "" : ".", place.path[i]->name);
    if (place.path[i]->is_list && i + 1 < place.path.size()) out += "[]";
  }
  return out + (place.custom() ? " (as a custom resource)" : "");
}

std::vector<ListPlace> MergedLists(const Schema& schema) {
  Finder finder(schema);
  for (const auto& [gvk, resource] : schema.resources()) {
    ListPlace place{&schema, &resource, {}};
    finder.FindBelow(resource.type, place);
  }
  return std::move(finder.found);
}

Situation RandomSituation(const ListPlace& place, uint64_t seed) { return Builder(place, seed).Build(); }

}  // namespace smp
