#include "smp/dropped.h"

#include <algorithm>
#include <utility>

namespace smp {

namespace {

// Returns true if an entry lists all that the value has, which live lacks. Lists in it count as a whole.
bool IsListed(const FieldOwners::Position& at, const Value& value) {
  if (!value.is_object() || value.empty()) return !at.Holders().empty();
  return std::ranges::all_of(value.Members(), [&](const Member& member) {
    return member.value.is_null() || IsListed(at.Field(member.name), member.value);
  });
}

bool WasDropped(const PlanNode& node, const FieldOwners::Position& at) {
  const bool comes_back = node.op == Op::kSet && node.reason == Reason::kRestored && node.live == nullptr;
  return comes_back && node.modified != nullptr && IsListed(at, *node.modified);
}

void Visit(PlanNode& node, const FieldOwners::Position& at, FieldPath& path, std::vector<FieldPath>& out) {
  for (PlanNode& child : node.children) {
    const FieldOwners::Position below = StepTo(at, node, child);
    path.push_back(StepTo(node, child));
    if (WasDropped(child, below)) {
      child.reason = Reason::kAdded;
      out.push_back(path);
    } else {
      Visit(child, below, path, out);
    }
    path.pop_back();
  }
}

}  // namespace

std::vector<FieldPath> CallDroppedAdded(Plan& plan, const FieldOwners& owners) {
  std::vector<FieldPath> out;
  FieldPath path;
  Visit(plan.root, owners.root(), path, out);
  return out;
}

}  // namespace smp
