#include "smp/plan_edit.h"

#include <algorithm>
#include <utility>

namespace smp {

PlanNode BranchNode(std::string_view name, Shape shape, const Sides& sides, const Field* field, TypeId type) {
  PlanNode node;
  node.name = name;
  node.shape = shape;
  node.op = Op::kPatch;
  node.field = field;
  node.type = type;
  node.original = sides.original;
  node.modified = sides.modified;
  node.live = sides.live;
  return node;
}

void Adopt(PlanNode& parent, PlanNode&& child) {
  parent.drops |= child.drops;
  parent.sets |= child.sets;
  constexpr size_t kFew = 4;  // saves moves of nodes, which are large, and fits most maps
  if (parent.children.capacity() == 0) parent.children.reserve(kFew);
  parent.children.push_back(std::move(child));
}

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
