#include "smp/not_kept.h"

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

bool IsNotKept(const PlanNode& node, const FieldOwners::Position& at) {
  const bool comes_back = node.op == Op::kSet && node.reason == Reason::kRestored && node.live == nullptr;
  return comes_back && node.modified != nullptr && IsListed(at, *node.modified);
}

bool HasNothingLeft(const PlanNode& node) {
  return node.op == Op::kPatch && node.children.empty() && !node.moved && node.adds.empty() && node.removes.empty();
}

void Take(PlanNode& node, const FieldOwners::Position& at, FieldPath& path, std::vector<FieldPath>& out) {
  std::erase_if(node.children, [&](PlanNode& child) {
    const FieldOwners::Position below = StepTo(at, node, child);
    const size_t before = out.size();
    path.push_back(StepTo(node, child));
    const bool gone = IsNotKept(child, below);
    if (gone) out.push_back(path);
    if (!gone) Take(child, below, path, out);
    path.pop_back();
    return gone || (out.size() > before && HasNothingLeft(child));
  });
}

}  // namespace

std::vector<FieldPath> TakeNotKept(Plan& plan, const FieldOwners& owners) {
  std::vector<FieldPath> out;
  FieldPath path;
  Take(plan.root, owners.root(), path, out);
  return out;
}

}  // namespace smp
