// Merge: what a strategic merge patch makes of an object. The verification of every patch and the `merge` command rest
// on it; the judge in tests is Go's own merge.
#ifndef SMP_SMP_MERGE_H_
#define SMP_SMP_MERGE_H_

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

enum class MergeRules {
  // What the API server does, step by step and quirks included: `$patch: delete` leaves an empty map, new items keep
  // nulls and directives
  // as fields, unknown directives are fields.
  kServer,
  // What the proposals say, where the server differs: `$patch: delete` on a map removes it (equals null), nothing of a
  // directive or of a
  // null stays in the result, unknown directives and exclusive ones (replace and delete in one list) are refused.
  kProposals,
};

// The object after `patch` (both objects). The values are shared with the inputs, which must outlive the arena's
// document. Errors: patch-format (a directive against its rules), merge-key (an item without its key), schema (a map or
// list that the schema does not know), each with the field path. Linear, but for O(n log n) where a list is ordered.
Result<Value> Merge(const Value& live, const Value& patch, const Schema& schema, TypeId type, Arena& arena,
                    MergeRules rules = MergeRules::kServer);

}  // namespace smp

#endif  // SMP_SMP_MERGE_H_
