// What the server stores: values with the defaults of absent fields, and with the fields that the server derives
// (derived.h). The plan asks it which deletions have no effect, the explanation what live will be.
#pragma once

#include "schema/schema.h"
#include "smp/meaning.h"
#include "smp/plan.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns `value` as the server stores it over `before` (nullptr: nothing was stored). Without nulls and without values
// that the server does not store. Shares the memory of both and of the schema. Linear.
Value AsStored(const Value& value, const Value* before, const Place& place, Arena& arena);

// What the server makes of a null in a map: of a patch, and of a server-side apply (go_nulls.h).
enum class NullsInMaps { kDropped, kStoredAsZeros };

// Takes out of the plan of a map what has no effect: deletions, zeros and empty lists, if the server would set the same values
// again (defaults), and values that it drops because of the fields beside them. Differs from kubectl: it sends them.
// REQUIRES: `node` has all its children.
void KeepWhatComesBack(PlanNode& node, const Schema& schema, NullsInMaps nulls = NullsInMaps::kDropped);

}  // namespace smp
