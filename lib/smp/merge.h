// Merge: applies a strategic merge patch to an object, to verify every patch and for the `merge` command. The tests
// compare it with Go's own merge.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

enum class MergeRules {
  // Like the API server, including its quirks: `$patch: delete` leaves an empty map, new items keep nulls and
  // directives as fields, unknown directives become fields.
  kServer,
  // Like the design proposals where the server differs: `$patch: delete` removes a map (like null), no directive or
  // null stays in the result, and unknown or contradictory directives (replace and delete in one list) are refused.
  kProposals,
};

// Returns the object after `patch` (both are objects). The values are shared with the inputs, which must outlive the
// arena's document. Errors: patch-format (a misused directive), merge-key (an item without its key), schema (a map or
// list that the schema does not know), each with the field path. Linear, except O(n log n) where lists are ordered.
Result<Value> Merge(const Value& live, const Value& patch, const Schema& schema, TypeId type, Arena& arena,
                    MergeRules rules = MergeRules::kServer);

}  // namespace smp
