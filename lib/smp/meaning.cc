#include "smp/meaning.h"

#include <algorithm>
#include <string>

#include "smp/derived.h"
#include "smp/go_nulls.h"
#include "value/equality.h"
#include "value/formats.h"
#include "value/json.h"
#include "value/names.h"

namespace smp {

namespace {

bool SameScalar(const Value& a, const Value& b, const Type& type) {
  if (SameByNumber(a, b)) return true;
  const bool texts = a.is_string() && b.is_string();
  switch (type.kind) {
    case TypeKind::kQuantity:
      return SameQuantity(TextOfScalar(a), TextOfScalar(b), type.rounds_to_milli ? Finest::kMilli : Finest::kNano);
    case TypeKind::kTime: return texts && SameTime(a.AsString(), b.AsString());
    case TypeKind::kBytes: return texts && SameBase64(a.AsString(), b.AsString());
    default: return false;
  }
}

const Type& TypeAt(const Place& place) {
  static const Type any;
  const bool unknown = place.schema == nullptr || place.is_list || place.storage == Storage::kAsWritten;
  return unknown ? any : place.schema->type(place.type);
}

bool SameMember(const Value& a, const Value& b, const Place& place) {
  return SameMeaning(a, b, place) || (CountsAsAbsent(a, place) && CountsAsAbsent(b, place));
}

bool SameMembers(const Value& a, const Value& b, const Place& place) {
  const auto x = a.Members(), y = b.Members();
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    const int order = i == x.end() ? 1 : j == y.end() ? -1 : CompareNames(i->name, j->name);
    if (order == 0 && i->value.is_scalar() && i->value == j->value) {  // fast path: most members
      ++i;
      ++j;
      continue;
    }
    const Place member = PlaceOfMember(place, order <= 0 ? i->name : j->name);
    if (order == 0 ? !SameMember(i->value, j->value, member)
                   : !CountsAsAbsent(order < 0 ? i->value : j->value, member)) {
      return false;
    }
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return true;
}

const DerivedRule* DerivedAt(const Place& map) {
  const bool known = map.schema != nullptr && !map.is_list && map.storage == Storage::kGoTypes;
  return known ? DerivedRuleOf(map.schema->type(map.type), map.schema->release()) : nullptr;
}

bool SameMaps(const Value& a, const Value& b, const Place& place) {
  const DerivedRule* derived = DerivedAt(place);
  if (derived == nullptr) return SameMembers(a, b, place);
  Arena arena;
  const std::string_view stamped = derived->stamped;
  const bool any_time = !stamped.empty() && (IsAbsentOrNull(a.Find(stamped)) || IsAbsentOrNull(b.Find(stamped)));
  if (any_time) return SameMembers(WithoutAt(a, {}, {stamped}, arena), WithoutAt(b, {}, {stamped}, arena), place);
  if (derived->complete == nullptr) return SameMembers(a, b, place);
  return SameMembers(derived->complete(a, nullptr, arena), derived->complete(b, nullptr, arena), place);
}

// The metadata of a custom resource, and of an object in it, is stored as a Go type (schema/reading.h).
Storage StorageOfMember(const Place& map, std::string_view name, TypeId type) {
  return name == "metadata" && type != kNoType ? map.schema->type(type).storage : map.storage;
}

}  // namespace

Place PlaceOf(const Schema& schema, const Field* field, TypeId type, Storage storage) {
  const bool null_is_value =
      storage == Storage::kAsWritten && (field != nullptr ? field->nullable : schema.type(type).nullable);
  if (field == nullptr) return {&schema, type, false, storage, null_is_value, nullptr, false};
  return {&schema, field->type, field->is_list, storage, null_is_value, field->default_value, field->omits_zero};
}

Place PlaceOfObject(const Schema& schema, TypeId type) {
  return PlaceOf(schema, nullptr, type, schema.type(type).storage);
}

Place PlaceOfMember(const Place& map, std::string_view name) {
  if (map.schema == nullptr || map.is_list) return {};
  const Field* field = map.schema->Find(map.type, name);
  const TypeId type = field != nullptr ? field->type : map.schema->type(map.type).additional;
  return PlaceOf(*map.schema, field, type, StorageOfMember(map, name, type));
}

Place PlaceOfItem(const Place& list) {
  if (list.schema == nullptr) return {};
  const TypeId type = list.is_list ? list.type : list.schema->type(list.type).additional;
  return PlaceOf(*list.schema, nullptr, type, list.storage);
}

bool IsDefault(const Value& value, const Place& place) {
  return place.fallback != nullptr && SameMeaning(value, *place.fallback, place);
}

bool IsZero(const Value& value) {
  if (value.is_string()) return value.empty();
  if (value.is_bool()) return !value.AsBool();
  if (value.is_int()) return value.AsInt() == 0;
  return value.is_double() && value.AsDouble() == 0;
}

bool MeansNothing(const Value& value, const Place& place) {
  if (place.schema == nullptr || place.storage == Storage::kAsWritten) return false;
  if (value.is_scalar()) return place.omits_zero && IsZero(value);
  if (value.is_array()) return value.empty() && place.is_list;
  if (!value.is_object() || place.is_list) return false;
  const auto members = value.Members();
  if (!std::all_of(members.begin(), members.end(), [](const Member& m) { return m.value.is_null(); })) return false;
  const Type& type = place.schema->type(place.type);
  return type.has_additional && type.fields.empty();
}

bool StoresNull(const Place& place) {
  // Its members are of the same type (reading.cc).
  const bool is_unknown =
      place.schema != nullptr && !place.is_list && place.schema->type(place.type).additional == place.type;
  return place.null_is_value || (is_unknown && place.storage == Storage::kAsWritten);
}

bool CountsAsAbsent(const Value& member, const Place& place) {
  if (member.is_null()) return !place.null_is_value;
  if (MeansNothing(member, place)) return true;
  return IsDefault(member, place);
}

bool SameMeaning(const Value& a, const Value& b, const Place& place) {
  if (a.is_scalar() && b.is_scalar()) return SameScalar(a, b, TypeAt(place));
  if (a.kind() != b.kind()) return false;
  if (SharesMemory(a, b)) return true;
  if (a.is_object()) return SameMaps(a, b, place);
  const Place item = PlaceOfItem(place);
  return std::equal(
      a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(),
      [&](const Value& x, const Value& y) { return SameMeaning(ItemAsRead(x, item), ItemAsRead(y, item), item); });
}

bool SameButForSpelling(const Value& a, const Value& b, const Place& place) {
  if (a.is_scalar() && b.is_scalar()) return SameScalar(a, b, TypeAt(place));
  if (a.kind() != b.kind()) return false;
  if (a.is_object()) {
    return std::equal(a.Members().begin(), a.Members().end(), b.Members().begin(), b.Members().end(),
                      [&](const Member& x, const Member& y) {
                        return SameNames(x.name, y.name) &&
                               SameButForSpelling(x.value, y.value, PlaceOfMember(place, x.name));
                      });
  }
  const Place item = PlaceOfItem(place);
  return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(),
                    [&](const Value& x, const Value& y) {
                      return SameButForSpelling(ItemAsRead(x, item), ItemAsRead(y, item), item);
                    });
}

Value WithoutMembers(const Value& value, Arena& arena, const Place& place,
                     bool (*drops)(const Value& member, const Place& place)) {
  if (value.is_scalar()) return value;
  bool same = true;
  const auto without = [&](const Value& below, const Place& at) {
    const Value out = WithoutMembers(below, arena, at, drops);
    same = same && (below.is_scalar() || SharesMemory(below, out));
    return out;
  };
  if (value.is_array()) {
    std::vector<Value> items;
    const Place item = PlaceOfItem(place);
    for (const Value& v : value.Items()) items.push_back(without(v, item));
    return same ? value : arena.Array(items);
  }
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    const Place member = PlaceOfMember(place, m.name);
    if (!drops(m.value, member)) members.push_back({m.name, without(m.value, member)});
  }
  return same && members.size() == value.size() ? value : arena.SortedObject(members);
}

Value WithoutNulls(const Value& value, Arena& arena, const Place& place) {
  return WithoutMembers(value, arena, place,
                        [](const Value& member, const Place& at) { return member.is_null() && !at.null_is_value; });
}

}  // namespace smp
