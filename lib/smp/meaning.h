// What a value means, as against how it is written: a null member of a map is no member, and 1.0 is 1; where the schema
// knows the field, 500m is 0.5, and an empty list or free-form map is none at all.
// Differs from kubectl: it sends such differences at every apply.
#ifndef SMP_SMP_MEANING_H_
#define SMP_SMP_MEANING_H_

#include <string_view>

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Equal but for null members of maps (absent = null) and for how numbers are written. Linear.
bool SameMeaning(const Value& a, const Value& b);

// What the schema says of a value; without a schema, nothing.
struct Place {
  const Schema* schema = nullptr;
  TypeId type = kNoType;  // of the value, or of the elements where it is a list
  bool is_list = false;
};

// The same of two values of a Go type of the server: it reads quantities, times and base64 and writes them again in its
// own form. REQUIRES: not of a custom resource, whose values are kept as they are written. Linear.
bool SameMeaning(const Value& a, const Value& b, const Place& place);

// An empty list or an empty map of free-form members: the server does not keep it. A map with fields of its own
// (`emptyDir: {}`) means something.
bool MeansNothing(const Value& value, const Place& place);

// The place of a member of a map of `type`.
Place PlaceOfMember(const Schema& schema, TypeId type, std::string_view name);

// Without the null members of maps, at any depth. Shares `value` where nothing changes.
Value WithoutNulls(const Value& value, Arena& arena);

}  // namespace smp

#endif  // SMP_SMP_MEANING_H_
