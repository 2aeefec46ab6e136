#include "smp/plan_edit.h"

#include <algorithm>

namespace smp {

PlanNode* ChildCalled(PlanNode& node, std::string_view name) {
  const auto at = std::find_if(node.children.begin(), node.children.end(),
                               [&](const PlanNode& child) { return child.name == name; });
  return at == node.children.end() ? nullptr : &*at;
}

void KeepLive(PlanNode& node) {
  node.op = Op::kKeep;
  node.reason = Reason::kLiveOnly;
  node.sets = node.drops = false;
}

void CountChanges(PlanNode& node) {
  const auto any = [&](bool PlanNode::*what) {
    return std::any_of(node.children.begin(), node.children.end(), [what](const PlanNode& c) { return c.*what; });
  };
  node.sets = node.moved || any(&PlanNode::sets);
  node.drops = any(&PlanNode::drops);
  node.order = node.order && node.changes();
}

}  // namespace smp
