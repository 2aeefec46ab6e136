// What a value means, as against how it is written: a null member of a map is no member, and 1.0 is 1; where the schema
// knows the field, 500m is 0.5, and an empty list or free-form map is none at all.
// Differs from kubectl: it sends such differences at every apply.
#ifndef SMP_SMP_MEANING_H_
#define SMP_SMP_MEANING_H_

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// What the schema says of a value; without a schema, nothing.
struct Place {
  const Schema* schema = nullptr;
  TypeId type = kNoType;  // of the value, or of the elements where it is a list
  bool is_list = false;
};

// Equal but for null members of maps (absent = null) and for how numbers are written; with a schema also but for how Go
// types of the server write quantities, times and base64 again, and for what they drop. REQUIRES: a schema only where
// the value is of such a type; custom resources are kept as they are written. Linear.
bool SameMeaning(const Value& a, const Value& b, const Place& place = {});

// An empty list or an empty map of free-form members: the server does not keep it. A map with fields of its own
// (`emptyDir: {}`) means something.
bool MeansNothing(const Value& value, const Place& place);

// Without the null members of maps, at any depth. Shares `value` where nothing changes.
Value WithoutNulls(const Value& value, Arena& arena);

}  // namespace smp

#endif  // SMP_SMP_MEANING_H_
