// What the server, its admission or a controller sets in every new object of a kind, so that --force loses nothing of it.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "smp/meaning.h"
#include "value/value.h"

namespace smp::explain {

// Returns true if a new object will have the field `name` again although the manifest lacks it: a default, an allocated
// value, or a map or list with nothing else in it. `map`: the type of the map that has it. `object`: has the kind.
bool IsSetAnew(const Value& live, std::string_view name, TypeId map, const Place& place, const Value& object);

// The same for an item of a list: what admission adds to a Pod, and the finalizers of volumes.
bool IsItemSetAnew(const Value& item);

}  // namespace smp::explain
