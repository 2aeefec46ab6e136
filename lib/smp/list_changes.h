// What somebody did to a merged list since it was applied: it is read from the last-applied object, as managedFields record neither removed
// elements nor an order.
#pragma once

#include <vector>

#include "schema/schema.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp {

// Returns those of `list.adds` that the last-applied object has, too: somebody has taken them out of live. In the order of the plan.
std::vector<const Value*> RemovedElements(const PlanNode& list);

// Returns true if the items that live, the manifest and the last-applied object have stand in another order in live than they were applied
// in. False where two items have the same keys: they have no order. Linear.
bool IsReorderedInLive(const PlanNode& list, const Schema& schema);

}  // namespace smp
