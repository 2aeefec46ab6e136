#include "smp/meaning.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "value/formats.h"
#include "value/json.h"
#include "value/names.h"

namespace smp {

namespace {

bool HasNulls(const Value& value) {
  if (value.is_array()) return std::any_of(value.Items().begin(), value.Items().end(), HasNulls);
  if (!value.is_object()) return false;
  return std::any_of(value.Members().begin(), value.Members().end(),
                     [](const Member& m) { return m.value.is_null() || HasNulls(m.value); });
}

bool IsNumber(const Value& v) { return v.is_int() || v.is_double(); }

// An integer beyond 2^53 equals no double but the very same number; the comparison of doubles may not say otherwise.
bool SameNumber(const Value& a, const Value& b) {
  if (a.kind() == b.kind()) return a == b;
  const int64_t i = a.is_int() ? a.AsInt() : b.AsInt();
  const double d = a.is_double() ? a.AsDouble() : b.AsDouble();
  constexpr double kLimit = 9007199254740992.0;  // 2^53
  return d >= -kLimit && d <= kLimit && static_cast<double>(i) == d;
}

// What Go's decoder makes of a quantity that is written as a number.
std::string TextOf(const Value& scalar) {
  return scalar.is_string() ? std::string(scalar.AsString()) : WriteJson(scalar);
}

bool SameScalar(const Value& a, const Value& b, TypeKind kind) {
  if (IsNumber(a) && IsNumber(b) ? SameNumber(a, b) : a == b) return true;
  const bool texts = a.is_string() && b.is_string();
  switch (kind) {
    case TypeKind::kQuantity: return SameQuantity(TextOf(a), TextOf(b));
    case TypeKind::kTime: return texts && SameTime(a.AsString(), b.AsString());
    case TypeKind::kBytes: return texts && SameBase64(a.AsString(), b.AsString());
    default: return false;
  }
}

TypeKind KindAt(const Place& place) {
  return place.schema == nullptr || place.is_list ? TypeKind::kAny : place.schema->type(place.type).kind;
}

Place PlaceOfItem(const Place& list) {
  if (list.schema == nullptr) return {};
  return {list.schema, list.is_list ? list.type : list.schema->type(list.type).additional};
}

Place PlaceOfMember(const Place& map, std::string_view name) {
  if (map.schema == nullptr || map.is_list) return {};
  const Field* field = map.schema->Find(map.type, name);
  if (field == nullptr) return {map.schema, map.schema->type(map.type).additional};
  return {map.schema, field->type, field->is_list};
}

bool SameMembers(const Value& a, const Value& b, const Place& place) {
  const auto x = a.Members(), y = b.Members();
  const auto skip = [&](auto& at, const auto& of) {
    while (at != of.end() && (at->value.is_null() || MeansNothing(at->value, PlaceOfMember(place, at->name)))) ++at;
  };
  auto i = x.begin();
  auto j = y.begin();
  for (skip(i, x), skip(j, y); i != x.end() && j != y.end(); skip(++i, x), skip(++j, y)) {
    if (!SameNames(i->name, j->name) || !SameMeaning(i->value, j->value, PlaceOfMember(place, i->name))) return false;
  }
  return i == x.end() && j == y.end();
}

}  // namespace

bool MeansNothing(const Value& value, const Place& place) {
  if (!value.empty() || place.schema == nullptr) return false;
  if (value.is_array()) return place.is_list;
  if (!value.is_object() || place.is_list) return false;
  const Type& type = place.schema->type(place.type);
  return type.has_additional && type.fields.empty();
}

bool SameMeaning(const Value& a, const Value& b, const Place& place) {
  if (a.is_scalar() && b.is_scalar()) return SameScalar(a, b, KindAt(place));
  if (a.kind() != b.kind()) return false;
  if (SharesMemory(a, b)) return true;
  if (a.is_object()) return SameMembers(a, b, place);
  const Place item = PlaceOfItem(place);
  return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(),
                    [&](const Value& x, const Value& y) { return SameMeaning(x, y, item); });
}

Value WithoutNulls(const Value& value, Arena& arena) {
  if (!HasNulls(value)) return value;
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(WithoutNulls(item, arena));
    return arena.Array(items);
  }
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    if (!m.value.is_null()) members.push_back({m.name, WithoutNulls(m.value, arena)});
  }
  return arena.SortedObject(members);
}

}  // namespace smp
