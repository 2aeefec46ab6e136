// What a value means, as against how it is written: a null member of a map is no member, and 1.0 is 1; where the schema
// knows the field, 500m is 0.5, an empty list or free-form map is none at all, and a field that is absent has its
// default.
// Differs from kubectl: it sends such differences at every apply.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// What the schema says of a value; without a schema, nothing.
struct Place {
  const Schema* schema = nullptr;
  TypeId type = kNoType;  // of the value, or of the elements where it is a list
  bool is_list = false;
  Storage storage = Storage::kGoTypes;
  bool null_is_value = false;       // the server stores a null here
  const Value* fallback = nullptr;  // what absence means: the default
  bool omits_zero = false;          // the server does not keep "", 0 and false
};

// `field` may be nullptr: then the value is of `type`.
Place PlaceOf(const Schema& schema, const Field* field, TypeId type, Storage storage);

// REQUIRES: `map` is the place of a map.
Place PlaceOfMember(const Place& map, std::string_view name);

// Equal but for null members of maps (absent = null, unless null is a value) and for how numbers are written; with a
// schema also but for defaults, and for what the storage does. Linear.
bool SameMeaning(const Value& a, const Value& b, const Place& place = {});

// True if `value` means what absence means at `place`, by the default there.
bool IsDefault(const Value& value, const Place& place);

// An empty list, an empty map of free-form members, and where the schema says so "", 0 and false: the server does not
// keep it. A map with fields of its own (`emptyDir: {}`) means something.
bool MeansNothing(const Value& value, const Place& place);

// True if a map means the same without this member: it means nothing, or what its absence means.
bool CountsAsAbsent(const Value& member, const Place& place);

// The same paths, nulls and empty lists among them, and scalars that mean the same: what the manifest is about and says
// is the same, and only its spelling may differ.
bool SameButForSpelling(const Value& a, const Value& b, const Place& place);

// Without the null members of maps, at any depth, but for nulls that are values. Shares `value` where nothing changes.
Value WithoutNulls(const Value& value, Arena& arena, const Place& place = {});

}  // namespace smp
