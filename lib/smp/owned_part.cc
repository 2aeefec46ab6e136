#include "smp/owned_part.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "smp/managed_fields.h"
#include "value/json.h"

namespace smp {

namespace {

// A value below another one, by a step of a FieldsV1.
struct Below {
  const Value* value;
  Place place;
};

bool HasKeys(const Value& item, const Value& keys, const Place& place) {
  return item.is_object() && std::ranges::all_of(keys.Members(), [&](const Member& key) {
           const Value* value = item.Find(key.name);
           if (value == nullptr || value->is_null()) value = PlaceOfMember(place, key.name).fallback;
           return value != nullptr && *value == key.value;
         });
}

const Value* FindItem(const Value& list, char kind, const Value& named, const Place& item) {
  if (!list.is_array()) return nullptr;
  const auto items = list.Items();
  if (kind == 'i') {
    const bool within = named.is_int() && named.AsInt() >= 0 && static_cast<size_t>(named.AsInt()) < items.size();
    return within ? &items[static_cast<size_t>(named.AsInt())] : nullptr;
  }
  const auto found = std::ranges::find_if(items, [&](const Value& value) {
    return kind == 'v' ? value == named : named.is_object() && HasKeys(value, named, item);
  });
  return found == items.end() ? nullptr : &*found;
}

// Returns what the step "f:name", "k:{…}", "v:…" or "i:3" leads to; nullopt if the value has no such thing.
std::optional<Below> Follow(const Value& value, std::string_view step, const Place& place) {
  if (step.size() < 2 || step[1] != ':') return std::nullopt;
  const std::string_view rest = step.substr(2);
  if (step[0] == 'f') {
    const Value* member = value.is_object() ? value.Find(rest) : nullptr;
    return member == nullptr ? std::nullopt : std::optional(Below{member, PlaceOfMember(place, rest)});
  }
  const Result<Document> named = ParseJson(rest);
  const Place of_item = place.is_list ? PlaceOfItem(place) : Place{};
  const Value* item = named.ok() ? FindItem(value, step[0], named->root(), of_item) : nullptr;
  return item == nullptr ? std::nullopt : std::optional(Below{item, of_item});
}

// The recursions are bounded by the parser's kMaxDepth.
Value FieldsIn(const Value& fields, const Value& object, const Place& place, bool root, Arena& arena) {
  std::vector<Member> kept;
  for (const Member& member : fields.Members()) {
    const std::optional<Below> below =
        member.value.is_object() ? Follow(object, member.name, place) : std::optional<Below>();
    if (!below || below->value->is_null()) continue;
    const Value part = FieldsIn(member.value, *below->value, below->place, false, arena);
    if (IsOwned(member.value) || !part.empty()) kept.push_back({member.name, part});
  }
  const Value* itself = fields.Find(kItself);
  // {} marks an owned field, so that the "." of a field without others goes.
  if (!root && itself != nullptr && !kept.empty()) kept.push_back({kItself, *itself});
  return arena.Object(std::move(kept));
}

Value PartOf(const Value& value, const Value& fields, Arena& arena);

Value MembersOf(const Value& map, const Value& fields, Arena& arena) {
  std::vector<Member> members;
  for (const Member& member : fields.Members()) {
    const std::optional<Below> below = Follow(map, member.name, {});
    if (below) members.push_back({member.name.substr(2), PartOf(*below->value, member.value, arena)});
  }
  return arena.Object(std::move(members));
}

// An item has its keys, whether they are owned or not, so that it can be told from the others.
Value ItemOf(const Value& item, std::string_view step, const Value& fields, Arena& arena) {
  if (!item.is_object() || step[0] != 'k') return item;
  const Value part = PartOf(item, fields, arena);
  std::vector<Member> members(part.Members().begin(), part.Members().end());
  const Result<Document> keys = ParseJson(step.substr(2));
  for (const Member& key : keys->root().Members()) {
    if (const Value* value = item.Find(key.name)) members.push_back({arena.Copy(key.name), *value});
  }
  return arena.Object(std::move(members));
}

// Returns the items in the order of the list.
Value ItemsOf(const Value& list, const Value& fields, Arena& arena) {
  std::vector<std::pair<const Value*, Value>> found;
  for (const Member& member : fields.Members()) {
    const std::optional<Below> below = Follow(list, member.name, {});
    if (below) found.emplace_back(below->value, ItemOf(*below->value, member.name, member.value, arena));
  }
  std::ranges::sort(found, {}, [](const auto& item) { return item.first; });
  std::vector<Value> items;
  for (const auto& [where, item] : found) items.push_back(item);
  return arena.Array(items);
}

Value PartOf(const Value& value, const Value& fields, Arena& arena) {
  const bool whole = fields.empty() || (fields.size() == 1 && fields.Find(kItself) != nullptr);
  if (value.is_object()) return whole ? value : MembersOf(value, fields, arena);
  if (value.is_array()) return whole ? value : ItemsOf(value, fields, arena);
  return value;
}

}  // namespace

Value OwnedFieldsIn(const Value& fields, const Value& object, const Place& place, Arena& arena) {
  return FieldsIn(fields, object, place, true, arena);
}

Value OwnedPartOf(const Value& object, const Value& fields, Arena& arena) {
  return fields.empty() ? arena.SortedObject({}) : PartOf(object, fields, arena);
}

}  // namespace smp
