#include "smp/last_applied_change.h"

#include <algorithm>
#include <functional>

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

using VisitPath = std::function<bool(const FieldPath&)>;

// Calls `visit` with the path of each change but that of the annotation, until it returns false; returns its last answer.
bool VisitOtherChanges(const PlanNode& node, FieldPath& path, const VisitPath& visit) {
  if (!node.changes() || IsLastAppliedAnnotation(path)) return true;
  if (IsAnnotations(path) && AddsOnlyLastApplied(node)) return true;
  if (!IsUnchanged(node)) return visit(path);
  return std::all_of(node.children.begin(), node.children.end(), [&](const PlanNode& child) {
    path.push_back(StepTo(node, child));
    const bool goes_on = VisitOtherChanges(child, path, visit);
    path.pop_back();
    return goes_on;
  });
}

}  // namespace

bool ChangesOnlyLastApplied(const Plan& plan) {
  FieldPath path;
  return plan.changed() && VisitOtherChanges(plan.root, path, [](const FieldPath&) { return false; });
}

std::vector<FieldPath> OtherChanges(const Plan& plan) {
  std::vector<FieldPath> out;
  FieldPath path;
  VisitOtherChanges(plan.root, path, [&](const FieldPath& change) {
    out.push_back(change);
    return true;
  });
  return out;
}

}  // namespace smp
