// Compares values by what they mean to the server, not by how they are written: a null member of a map counts as
// absent, and 1.0 equals 1. If the schema knows the field, 500m equals 0.5, an empty list or free-form map counts as
// absent, and an absent field counts as its default. Differs from kubectl: it sends such differences at every apply.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// What the schema says about a value. Without a schema, nothing is known.
struct Place {
  const Schema* schema = nullptr;
  TypeId type = kNoType;  // of the value; if it is a list, of its elements
  bool is_list = false;
  Storage storage = Storage::kGoTypes;
  bool null_is_value = false;       // the server stores a null here
  const Value* fallback = nullptr;  // the default, which an absent field means; nullptr: none
  bool omits_zero = false;          // the server does not store "", 0 and false
};

// Returns the place of a field's value. If `field` is nullptr, only `type` describes the value.
Place PlaceOf(const Schema& schema, const Field* field, TypeId type, Storage storage);

// Returns the place of a whole object.
Place PlaceOfObject(const Schema& schema, TypeId type);

// Returns the place of a member. REQUIRES: `map` is the place of a map.
Place PlaceOfMember(const Place& map, std::string_view name);

// Returns the place of an item. REQUIRES: `list` is the place of a list.
Place PlaceOfItem(const Place& list);

// Returns true if both mean the same. Ignores null members of maps (except where null is a value) and how numbers are
// written; with a schema, also defaults and what the server does not store. Linear.
bool SameMeaning(const Value& a, const Value& b, const Place& place = {});

// Returns true if `value` means the same as the default at `place`.
bool IsDefault(const Value& value, const Place& place);

// Returns true for Go's zero values: "", false and 0.
bool IsZero(const Value& value);

// Returns true for a value that the server does not store: an empty list, a free-form map without members but null and, where the
// schema says so, "", 0 and false. An empty map whose type has fields (`emptyDir: {}`) is stored.
bool MeansNothing(const Value& value, const Place& place);

// Returns true if a null that is written here is stored. Unlike a JSON merge patch, a server-side apply also stores it where the
// schema of a custom resource says nothing.
bool StoresNull(const Place& place);

// Returns true if a map means the same without this member.
bool CountsAsAbsent(const Value& member, const Place& place);

// Returns true if both have the same paths, including nulls and empty lists, and their scalars mean the same: only the
// spelling may differ.
bool SameButForSpelling(const Value& a, const Value& b, const Place& place);

// Returns `value` without the members of maps, at any depth, for which `drops` is true. Shares unchanged parts.
Value WithoutMembers(const Value& value, Arena& arena, const Place& place,
                     bool (*drops)(const Value& member, const Place& place));

// Returns `value` without null members of maps at any depth, except where null is a value. Shares unchanged parts.
Value WithoutNulls(const Value& value, Arena& arena, const Place& place = {});

}  // namespace smp
