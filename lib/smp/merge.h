// Merge: what the API server does with a strategic merge patch, step by step and quirks included. The verification of every patch and the
// `merge` command rest on it; the judge in tests is Go's own merge.
#ifndef SMP_SMP_MERGE_H_
#define SMP_SMP_MERGE_H_

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// The object after `patch` (both objects). The values are shared with the inputs, which must outlive the arena's document. Errors:
// patch-format (a directive against its rules), merge-key (an item without its key), schema (a map or list that the schema does not
// know), each with the field path. Linear, but for O(n log n) where a list is ordered.
Result<Value> Merge(const Value& live, const Value& patch, const Schema& schema, TypeId type, Arena& arena);

// Patch `b` put on top of patch `a`, as the reference combines the two halves (deletions, changes) of a three-way patch:
// the merge above, but for nulls and directives, which are kept.
Result<Value> Graft(const Value& a, const Value& b, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp

#endif  // SMP_SMP_MERGE_H_
