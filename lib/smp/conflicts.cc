#include "smp/conflicts.h"

#include "smp/meaning.h"

namespace smp {

namespace {

// A null never was a value (decide.h), so it is as good as absent.
const Value* OrAbsent(const Value* value) { return value == nullptr || value->is_null() ? nullptr : value; }

bool Same(const Value* a, const Value* b) {
  a = OrAbsent(a);
  b = OrAbsent(b);
  return a == nullptr || b == nullptr ? a == b : SameMeaning(*a, *b);
}

bool IsConflict(const PlanNode& node) {
  if (node.op != Op::kSet && node.op != Op::kDelete) return false;
  if (node.reason == Reason::kRetainKeys) return false;
  const Value* outcome = node.op == Op::kSet ? node.modified : nullptr;
  return !Same(node.live, node.original) && !Same(node.live, outcome);
}

void Collect(const PlanNode& node, FieldPath& path, std::vector<FieldPath>& out) {
  if (IsConflict(node)) out.push_back(path);
  for (const PlanNode& child : node.children) {
    path.push_back(StepTo(node, child));
    Collect(child, path, out);
    path.pop_back();
  }
}

}  // namespace

std::vector<FieldPath> ConflictingPaths(const Plan& plan) {
  std::vector<FieldPath> out;
  FieldPath path;
  Collect(plan.root, path, out);
  return out;
}

}  // namespace smp
