#include "smp/defaulting.h"

#include <algorithm>
#include <vector>

#include "smp/derived.h"
#include "smp/go_nulls.h"
#include "smp/plan_edit.h"
#include "smp/sides.h"
#include "value/json.h"

namespace smp {

namespace {

bool IsNothing(const Value& member, const Place& place) {
  return (member.is_null() && !StoresNull(place)) || MeansNothing(member, place);
}

const Type* TypeAt(const Place& map) {
  return map.schema == nullptr || map.is_list || map.type == kNoType ? nullptr : &map.schema->type(map.type);
}

Value WithoutNothing(const Value& map, const Place& place, Arena& arena) {
  std::vector<Member> members;
  for (const Member& m : map.Members()) {
    if (!IsNothing(m.value, PlaceOfMember(place, m.name))) members.push_back(m);
  }
  return arena.SortedObject(members);
}

// The defaults of one object that may still be filled in. A hostile server's types may contain themselves, or a hundred others each,
// with defaults that are maps.
struct Room {
  size_t defaults = 100'000;
  size_t depth = kMaxDepth;
};

// Returns the map with its fields' defaults and the fields that the server derives. Not what is below them.
Value Completed(const Value& map, const Value* before, const Place& place, Room& room, Arena& arena) {
  const Value stated = WithoutNothing(map, place, arena);
  const Type* type = TypeAt(place);
  if (type == nullptr) return stated;
  // First the derived fields: some depend on whether another field is stated.
  const DerivedRule* rule =
      place.storage == Storage::kGoTypes ? DerivedRuleOf(*type, place.schema->release()) : nullptr;
  const Value derived = rule == nullptr || rule->complete == nullptr ? stated : rule->complete(stated, before, arena);
  std::vector<Member> members(derived.Members().begin(), derived.Members().end());
  for (const Field& field : type->fields) {
    const bool absent = field.default_value != nullptr && derived.Find(field.name) == nullptr;
    if (!absent || room.defaults == 0 || room.depth == 0) continue;
    --room.defaults;
    members.push_back({field.name, *field.default_value});
  }
  return arena.Object(std::move(members));
}

Value Stored(const Value& value, const Value* before, const Place& place, Room& room, Arena& arena);

Value StoredMap(const Value& map, const Value* before, const Place& place, Room& room, Arena& arena) {
  std::vector<Member> members;
  const Value completed = Completed(map, before, place, room, arena);
  for (const Member& m : completed.Members()) {
    const Value* then = before == nullptr ? nullptr : before->Find(m.name);
    members.push_back({m.name, Stored(m.value, then, PlaceOfMember(place, m.name), room, arena)});
  }
  return arena.SortedObject(members);
}

Value StoredList(const Value& list, const Place& place, Room& room, Arena& arena) {
  std::vector<Value> items;
  const Place item = PlaceOfItem(place);
  for (const Value& v : list.Items()) items.push_back(Stored(ItemAsRead(v, item), nullptr, item, room, arena));
  return arena.Array(items);
}

// Where no depth is left, only what a default has is below: values of documents are not so deep.
Value Stored(const Value& value, const Value* before, const Place& place, Room& room, Arena& arena) {
  if (value.is_scalar() || room.depth == 0) return value;
  const bool same_kind = before != nullptr && before->kind() == value.kind();
  --room.depth;
  const Value out = value.is_object() ? StoredMap(value, same_kind ? before : nullptr, place, room, arena)
                                      : StoredList(value, place, room, arena);
  ++room.depth;
  return out;
}

// Returns true if the plan removes the live value, or writes a zero or an empty list over it, which the server may take for
// nothing.
bool MayComeBack(const PlanNode& child) {
  if (child.live == nullptr || child.live->is_null() || child.reason == Reason::kUnion) return false;
  if (child.op == Op::kDelete) return true;
  if (child.op != Op::kSet) return false;
  const Value& written = *child.modified;
  return written.is_string() || written.is_array() ? written.empty() : written.is_int() && written.AsInt() == 0;
}

// Returns true if the plan adds a value, which the server may drop because of the fields beside it.
bool MayBeDropped(const PlanNode& child) { return child.op == Op::kSet && IsAbsentOrNull(child.live); }

// Returns the map after the plan, as far as its rules look at it: members below lists and maps may be those of live.
Value AfterPlan(const PlanNode& node, const Place& place, NullsInMaps nulls, Arena& arena) {
  std::vector<Member> members;
  auto child = node.children.begin();
  const auto write = [&](const PlanNode& c) {
    if (c.op != Op::kSet) return;
    const bool as_sent = nulls == NullsInMaps::kDropped;
    members.push_back({c.name, as_sent ? *c.modified : AsRead(*c.modified, PlaceOfMember(place, c.name), arena)});
  };
  for (const Member& m : node.live->Members()) {
    for (; child != node.children.end() && child->name < m.name; ++child) write(*child);
    const bool planned = child != node.children.end() && child->name == m.name;
    if (!planned || child->op == Op::kKeep || child->op == Op::kPatch) members.push_back(m);
    if (planned) write(*child++);
  }
  for (; child != node.children.end(); ++child) write(*child);
  return arena.Object(std::move(members));
}

// Returns true if the server will have the same value again, or again none.
//
// Not by SameMeaning: a default may depend on the fields beside it, so that a map with an absent field is not the map
// with the default of that field.
bool ComesBack(const PlanNode& child, const Value& stored, const Place& map, Arena& arena) {
  const Value* again = stored.Find(child.name);
  if (MayBeDropped(child)) return again == nullptr;
  if (again == nullptr) return false;
  const Place place = PlaceOfMember(map, child.name);
  return SameButForSpelling(AsStored(*again, child.live, place, arena), *child.live, place);
}

}  // namespace

Value AsStored(const Value& value, const Value* before, const Place& place, Arena& arena) {
  Room room;
  return Stored(value, before, place, room, arena);
}

void KeepWhatComesBack(PlanNode& node, const Schema& schema, NullsInMaps nulls) {
  const auto may_be_without_effect = [](const PlanNode& c) { return MayComeBack(c) || MayBeDropped(c); };
  if (node.live == nullptr || std::none_of(node.children.begin(), node.children.end(), may_be_without_effect)) return;
  Arena arena;
  const Place place = PlaceOf(schema, nullptr, node.type, schema.type(node.type).storage);
  Room room;
  const Value stored = Completed(AfterPlan(node, place, nulls, arena), node.live, place, room, arena);
  const auto comes_back = [&](const PlanNode& c) {
    return may_be_without_effect(c) && ComesBack(c, stored, place, arena);
  };
  // $retainKeys clears all other fields, if it is sent at all.
  if (node.retain) {
    const auto harmless = [&](const PlanNode& c) { return !c.changes() || comes_back(c); };
    if (!std::all_of(node.children.begin(), node.children.end(), harmless)) return;
    node.retain = false;
  }
  for (PlanNode& child : node.children) {
    if (child.reason == Reason::kRetainKeys && comes_back(child)) KeepLive(child);
  }
  std::erase_if(node.children, comes_back);
  CountChanges(node);
}

}  // namespace smp
