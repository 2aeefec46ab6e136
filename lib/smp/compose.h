// Compose: combines two strategic merge patches into one.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Returns patch `a` with patch `b` applied to it, as Go's strategicpatch combines the deletions and the changes of a
// three-way patch. Works like Merge (merge.h), but keeps nulls and directives. Errors: those of Merge.
Result<Value> Compose(const Value& a, const Value& b, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp
