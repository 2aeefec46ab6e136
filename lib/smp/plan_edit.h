// Nodes of a plan, for the walks that make them, and changes to nodes after their members were decided, for the rules that
// concern several members.
#pragma once

#include <string_view>

#include "smp/plan.h"
#include "smp/sides.h"

namespace smp {

// Returns the node of one place, whose members or items are still to be decided one by one.
PlanNode BranchNode(std::string_view name, Shape shape, const Sides& sides, const Field* field, TypeId type);

// Adds the child, and what it changes.
void Adopt(PlanNode& parent, PlanNode&& child);

// nullptr if the node has no such child.
PlanNode* ChildCalled(PlanNode& node, std::string_view name);

// Nothing happens to the live value. The node stays, because its map's outcome is made from its children.
void KeepLive(PlanNode& node);

// Updates `sets`, `drops` and `order` of a node after some of its children changed.
void CountChanges(PlanNode& node);

}  // namespace smp
