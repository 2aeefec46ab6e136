// Whether what somebody changed in live is still there after an apply, in values that the manifest has changed, too.
#pragma once

#include "value/value.h"

namespace smp::explain {

// Returns true if `now` has all that live changed since `applied`, and so undoes none of it: the manifest has taken that over, and
// changes something else. Texts are compared as documents (JSON, YAML, lines of keys and values), else by their lines; lists by items with a
// name, else as lines are, or in place. Where nobody can tell, returns false. nullptr: absent. The recursion is bounded by the parsers' kMaxDepth.
bool KeepsChanges(const Value* applied, const Value* live, const Value* now);

}  // namespace smp::explain
