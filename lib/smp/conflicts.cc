#include "smp/conflicts.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "smp/meaning.h"

namespace smp {

namespace {

constexpr size_t kMaxNamed = 20;

// A null in last-applied set no value (decide.h), so it counts as absent.
const Value* OrAbsent(const Value* value) { return value == nullptr || value->is_null() ? nullptr : value; }

bool Same(const Value* a, const Value* b) {
  a = OrAbsent(a);
  b = OrAbsent(b);
  return a == nullptr || b == nullptr ? a == b : SameMeaning(*a, *b);
}

bool IsConflict(const PlanNode& node) {
  if (node.op != Op::kSet && node.op != Op::kDelete) return false;
  if (node.reason == Reason::kRetainKeys || node.reason == Reason::kUnion || node.reason == Reason::kDerived) {
    return false;
  }
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

Status RefuseToOverwrite(const std::vector<FieldPath>& conflicts) {
  if (conflicts.empty()) return Ok();
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(conflicts.size(), kMaxNamed); ++i) names.push_back(ToString(conflicts[i]));
  const size_t more = conflicts.size() - names.size();
  Error error = Error::Conflict(StrCat("the patch would overwrite changes that others made to the live object: ",
                                       Join(names, ", "), more > 0 ? StrCat(" and ", more, " more") : ""));
  error.path = std::move(names.front());
  return error;
}

}  // namespace smp
