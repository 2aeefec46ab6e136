// Where an object and the fields that an entry of managedFields owns (FieldsV1) overlap.
#pragma once

#include "smp/meaning.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns the fields of a FieldsV1 that `object` has; {} if there are none. A list item is found by its keys, also if
// `object` leaves a key to its default. A null in `object` sets no field.
Value OwnedFieldsIn(const Value& fields, const Value& object, const Place& place, Arena& arena);

// Returns the part of `object` that a FieldsV1 owns, with the keys of list items; an empty map if it owns nothing. What
// the entry owns and `object` lacks is left out. Shares memory with both.
Value OwnedPartOf(const Value& object, const Value& fields, Arena& arena);

}  // namespace smp
