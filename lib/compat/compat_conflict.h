// The check of the reference (compat.h) for --overwrite=false: whether the patch overwrites what others changed in
// live. Private to compat.cc.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp::compat {

// Returns `patch` with its atomic lists of scalars sorted, as the reference does. `others`: what others changed in
// live, as a patch. Errors: conflict; schema and patch-format for what the reference cannot compare.
Result<Value> RefuseConflicts(const Value& patch, const Value& others, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp::compat
