// What the nulls of a server-side apply mean to the server, which decodes built-in kinds into Go types.
#pragma once

#include "smp/meaning.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns what Go reads a null as in a map of texts, such as labels and the data of a ConfigMap, or of quantities; nullptr: nothing.
// REQUIRES: `member` is no field of a type.
const Value* ZeroForNull(const Place& member);

// Returns true for a null, and for a value with one at any depth.
bool HasNull(const Value& value);

// Returns an item of a list as the server reads it: of Go types, {}, "", 0 or false for null.
const Value& ItemAsRead(const Value& item, const Place& place);

// Returns a value as the server reads it: of Go types, nulls are left out or zeros. Shares what has no null.
Value AsRead(const Value& value, const Place& place, Arena& arena);

}  // namespace smp
