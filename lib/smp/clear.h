// Deletes fields of a live map that are not allowed beside the fields in the manifest. Private to diff.cc.
#pragma once

#include "schema/schema.h"
#include "smp/plan.h"

namespace smp {

// Plans $retainKeys: if the patch changes the map, or live has a field that the manifest lacks, the patch lists the
// fields to keep, and the server clears all others. REQUIRES: `node` is a map and has all its children.
void ClearUnretained(PlanNode& node);

// If the manifest sets one alternative of a union, deletes the fields of all other alternatives, whoever set them.
// Differs from kubectl: it leaves what others set, and the server refuses the object. REQUIRES: as above.
void ClearOthers(PlanNode& node, const Union& fields);

}  // namespace smp
