// --overwrite=false as the reference checks it: does the patch touch, with another value, what others changed in live?
// Private to compat.cc.
#ifndef SMP_COMPAT_COMPAT_CONFLICT_H_
#define SMP_COMPAT_COMPAT_CONFLICT_H_

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// The patch; the reference leaves its atomic lists of scalars sorted, and so do we. Errors: conflict; and what the
// reference cannot compare (schema, patch-format).
Result<Value> RefuseConflicts(const Value& patch, const Value& others, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp

#endif  // SMP_COMPAT_COMPAT_CONFLICT_H_
