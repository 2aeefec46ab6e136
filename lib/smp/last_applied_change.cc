#include "smp/last_applied_change.h"

#include <algorithm>

#include "value/metadata.h"

namespace smp {

namespace {

bool IsAnnotations(const FieldPath& path) {
  return path.size() == 2 && path[0].name == "metadata" && path[1].name == "annotations";
}

// Returns true if live has no annotations, and the plan adds only this one.
bool AddsOnlyLastApplied(const PlanNode& annotations) {
  const bool first = annotations.op == Op::kSet && (annotations.live == nullptr || annotations.live->empty());
  const Value* modified = annotations.modified;
  return first && modified != nullptr && modified->size() == 1 && modified->Find(kLastAppliedAnnotation) != nullptr;
}

// Returns true if the node itself changes nothing: only its children may.
bool IsUnchanged(const PlanNode& node) {
  return !node.children.empty() && !node.moved && node.adds.empty() && node.removes.empty();
}

bool ChangesOnly(const PlanNode& node, FieldPath& path) {
  if (!node.changes() || IsLastAppliedAnnotation(path)) return true;
  if (IsAnnotations(path) && AddsOnlyLastApplied(node)) return true;
  return IsUnchanged(node) && std::all_of(node.children.begin(), node.children.end(), [&](const PlanNode& child) {
           path.push_back(StepTo(node, child));
           const bool only = ChangesOnly(child, path);
           path.pop_back();
           return only;
         });
}

}  // namespace

bool ChangesOnlyLastApplied(const Plan& plan) {
  FieldPath path;
  return plan.changed() && ChangesOnly(plan.root, path);
}

}  // namespace smp
