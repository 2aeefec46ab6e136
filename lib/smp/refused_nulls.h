// What the server refuses of a server-side apply, such as nulls of custom resources where it takes none. In a JSON merge patch, they
// would remove the field.
#pragma once

#include <vector>

#include "smp/meaning.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

// A value that the server refuses.
struct Refused {
  // kEmptied: nothing is left in the map or list that live has. kRequired: the type of an embedded object is gone. The last three are
  // of items in lists that are merged item by item (refused_items.h).
  enum class Why { kNull, kEmptied, kRequired, kNullItem, kTwice, kNoKey };

  FieldPath path;
  Why why = Why::kNull;
};

// Returns true if null is no value of the field: its schema states a type, is not nullable, and has no default, which the server
// would set instead.
bool RefusesNull(const Place& place);

// Adds the nulls in a value that is written at `path`, which is unchanged afterwards. Linear; the recursion is bounded by the
// parser's kMaxDepth.
void AddRefusedNulls(const Value& value, const Place& place, FieldPath& path, std::vector<Refused>& out);

}  // namespace smp
