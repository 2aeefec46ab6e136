// The list items that the server refuses in a server-side apply, whatever live has. A patch may have them. Source:
// structured-merge-diff, typed/validate.go and listItemToPathElement in typed/helpers.go.
#pragma once

#include <optional>

#include "schema/schema.h"
#include "smp/refused_nulls.h"
#include "value/value.h"

namespace smp {

// Returns the first null, second item with the same keys, or item without any key in the lists of the manifest that are merged item
// by item. O(n log n); the recursion is bounded by the parser's kMaxDepth.
std::optional<Refused> FirstRefusedItem(const Value& manifest, const Schema& schema, TypeId type);

}  // namespace smp
