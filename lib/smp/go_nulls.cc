#include "smp/go_nulls.h"

#include <algorithm>
#include <vector>

namespace smp {

namespace {

// The recursion is bounded by the parser's kMaxDepth.
Value WithZerosForNulls(const Value& value, const Place& place, Arena& arena) {
  if (value.is_scalar()) return value;
  if (value.is_array()) {
    std::vector<Value> items;
    const Place at = PlaceOfItem(place);
    for (const Value& item : value.Items()) items.push_back(WithZerosForNulls(ItemAsRead(item, at), at, arena));
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

// The recursion is bounded by the parser's kMaxDepth.
bool HasNull(const Value& value) {
  if (value.is_array()) return std::ranges::any_of(value.Items(), HasNull);
  if (!value.is_object()) return value.is_null();
  return std::ranges::any_of(value.Members(), [](const Member& m) { return HasNull(m.value); });
}

const Value& ItemAsRead(const Value& item, const Place& place) {
  static const Value zero = Value::Int(0), no = Value::Bool(false), map = Value::UnownedObject({});
  const bool is_known = place.schema != nullptr && !place.is_list && place.storage == Storage::kGoTypes;
  if (!item.is_null() || !is_known) return item;
  switch (place.schema->type(place.type).kind) {
    case TypeKind::kObject: return map;
    case TypeKind::kInteger:
    case TypeKind::kNumber:
    case TypeKind::kIntOrString: return zero;
    case TypeKind::kBoolean: return no;
    default: break;
  }
  const Value* text = ZeroForNull(place);
  return text == nullptr ? item : *text;
}

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
  return HasNull(value) ? WithZerosForNulls(value, place, arena) : value;
}

}  // namespace smp
