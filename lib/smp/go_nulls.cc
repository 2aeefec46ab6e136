#include "smp/go_nulls.h"

#include <vector>

namespace smp {

namespace {

// The recursion is bounded by the parser's kMaxDepth.
Value WithZerosForNulls(const Value& value, const Place& place, Arena& arena) {
  if (value.is_scalar()) return value;
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(WithZerosForNulls(item, PlaceOfItem(place), arena));
    return arena.Array(items);
  }
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    const Place member = PlaceOfMember(place, m.name);
    const bool is_field =
        place.schema != nullptr && !place.is_list && place.schema->Find(place.type, m.name) != nullptr;
    const Value* zero = m.value.is_null() && !is_field ? ZeroForNull(member) : nullptr;
    if (zero != nullptr || !m.value.is_null())
      members.push_back({m.name, zero ? *zero : WithZerosForNulls(m.value, member, arena)});
  }
  return arena.SortedObject(members);
}

}  // namespace

const Value* ZeroForNull(const Place& member) {
  static const Value text = Value::UnownedString(""), quantity = Value::UnownedString("0");
  if (member.schema == nullptr || member.storage != Storage::kGoTypes) return nullptr;
  switch (member.schema->type(member.type).kind) {
    case TypeKind::kString:
    case TypeKind::kBytes: return &text;
    case TypeKind::kQuantity: return &quantity;
    default: return nullptr;
  }
}

Value AsRead(const Value& value, const Place& place, Arena& arena) {
  if (place.storage == Storage::kAsWritten || value.is_scalar()) return value;
  return SharesMemory(WithoutNulls(value, arena), value) ? value : WithZerosForNulls(value, place, arena);
}

}  // namespace smp
