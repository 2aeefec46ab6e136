// A walk over the values of an object, with what its schema says of each.
#pragma once

#include <functional>
#include <vector>

#include "lint/object.h"
#include "schema/schema.h"
#include "schema/walk_path.h"
#include "value/value.h"

namespace smp::lint {

struct Visited {
  const Value& value;  // not null
  TypeId type;         // of the value; of a list: of its items
  const Field* field;  // nullptr: an item, an additional property, or the object
  TypeKind kind;
  TypeId parent;  // of the map that has the value; kNoType: it is an item, or the object
};

using Steps = std::vector<WalkStep>;

// Calls `visit` for each value whose type is known, before those in it. REQUIRES: object.has_type().
void ForEachValue(const Object& object, const std::function<void(const Visited&, const Steps&)>& visit);

}  // namespace smp::lint
