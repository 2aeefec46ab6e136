// The reference's check for --overwrite=false: whether the patch sets another value where others changed live. Private
// to compat.cc.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp::compat {

// Returns the patch. Its atomic lists of scalars are sorted, as in the reference. Errors: conflict; schema and
// patch-format for what the reference cannot compare.
Result<Value> RefuseConflicts(const Value& patch, const Value& others, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp::compat
