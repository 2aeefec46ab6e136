// Changes to nodes of a plan after their members were decided, for the rules that concern several members.
#pragma once

#include <string_view>

#include "smp/plan.h"

namespace smp {

// nullptr if the node has no such child.
PlanNode* ChildCalled(PlanNode& node, std::string_view name);

// Nothing happens to the live value. The node stays, because its map's outcome is made from its children.
void KeepLive(PlanNode& node);

// Updates `sets`, `drops` and `order` of a node after some of its children changed.
void CountChanges(PlanNode& node);

}  // namespace smp
