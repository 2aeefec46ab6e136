// Clears fields of a map that must go because of other fields in the manifest. Private to diff.cc.
#pragma once

#include "schema/schema.h"
#include "smp/plan.h"

namespace smp {

// $retainKeys: if something is sent for the map, or live has a field that the manifest lacks, the patch names the
// fields that stay, and the server clears the others. REQUIRES: `node` is a map and has all its children.
void ClearUnretained(PlanNode& node, const Schema& schema);

// If the manifest has one alternative of fields that exclude each other, the others go, whoever set them. Differs from
// kubectl: it leaves what others set, and the server refuses the object. REQUIRES: as above.
void ClearOthers(PlanNode& node, const Union& fields);

}  // namespace smp
