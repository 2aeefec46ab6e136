// Merges equal types. The documents of a server repeat shared types (ObjectMeta is in each, PodSpec in three), so the
// schema made of all of them is several times as large as necessary.
#pragma once

#include "schema/schema.h"

namespace smp {

// Returns a schema that describes every kind and field path as `schema` does. Types are merged if their names and
// everything reachable from them are equal.
Schema Minimized(const Schema& schema);

}  // namespace smp
