// The sentence behind each reason code: what happened, in words a user of kubectl knows.
#pragma once

#include <string>

#include "smp/plan.h"

namespace smp::explain {

// `node` decides; `parent` gives the context (the siblings that $retainKeys keeps, the list an item belongs to).
std::string MessageFor(const PlanNode& node, const PlanNode& parent);

// "moves from a, b, c to b, a, c", by the key values of the items.
std::string ReorderMessage(const PlanNode& list);

}  // namespace smp::explain
