// Compose: a strategic merge patch put on another one.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Patch `b` put on patch `a`, as the reference combines the two halves (deletions, changes) of a three-way patch: like
// Merge (merge.h), but nulls and directives are kept. Errors: as of Merge.
Result<Value> Compose(const Value& a, const Value& b, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp
