// The sentence for each reason code: what happened, in words a user of kubectl knows.
#pragma once

#include <string>

#include "smp/plan.h"

namespace smp::explain {

// Explains node.reason. `parent` gives the context (the siblings that $retainKeys keeps, the list of an item).
std::string MessageFor(const PlanNode& node, const PlanNode& parent);

// Tells the order of the items in live and in the manifest. Items are named by their key values.
std::string ReorderMessage(const PlanNode& list);

}  // namespace smp::explain
