#include "apply/unrecorded.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "smp/managed_fields.h"
#include "value/path.h"

namespace smp::apply {

namespace {

// An item that only live has and the plan keeps, and an item that the plan adds to the same list.
struct Kept {
  FieldPath path;
  FieldPath added;
  std::vector<FieldManager> owners;
};

bool IsAdded(const PlanNode& item) { return item.op == Op::kSet && item.live == nullptr; }
bool IsKept(const PlanNode& item) { return item.op == Op::kKeep && item.live != nullptr && item.modified == nullptr; }

FieldPath Below(FieldPath path, const PathStep& step) {
  path.push_back(step);
  return path;
}

void CollectOfList(const PlanNode& list, const FieldPath& path, const FieldOwners::Position& at,
                   std::vector<Kept>& out) {
  const auto added = std::find_if(list.children.begin(), list.children.end(), IsAdded);
  if (added == list.children.end()) return;
  for (const PlanNode& item : list.children) {
    if (!IsKept(item)) continue;
    out.push_back(
        {Below(path, StepTo(list, item)), Below(path, StepTo(list, *added)), StepTo(at, list, item).Owners()});
  }
}

void Collect(const PlanNode& node, FieldPath& path, const FieldOwners::Position& at, std::vector<Kept>& out) {
  if (!node.changes()) return;
  if (node.shape == Shape::kItems) CollectOfList(node, path, at, out);
  for (const PlanNode& child : node.children) {
    path.push_back(StepTo(node, child));
    Collect(child, path, StepTo(at, node, child), out);
    path.pop_back();
  }
}

// True for kubectl-create, kubectl-edit, kubectl-replace, …: a person wrote the fields, not a controller.
bool IsOfKubectl(const FieldManager& manager) {
  return manager.name.starts_with("kubectl") && manager.operation == "Update" && manager.subresource.empty();
}

Error Refusal(const Kept& item, std::string_view manager, std::string_view file) {
  Error error{
      ErrorCode::kRefused,
      StrCat("only the server has this item, written by ", manager, ", and the manifest adds ",
             ToString(item.added.back()),
             "; without a last-applied annotation, it is not known whether the item was renamed. To remove the item, "
             "record the manifest that the object was created from (kubectl smp last-applied set "
             "--create-annotation -f OLD.yaml); to keep it, record this one (-f ",
             file, "); then apply again")};
  error.path = ToString(item.path);
  return error;
}

}  // namespace

Status RefuseUnrecordedRename(const Plan& plan, const Value& live, std::string_view file) {
  std::vector<Kept> kept;
  FieldPath path;
  const FieldOwners owners(live);
  Collect(plan.root, path, owners.root(), kept);
  for (const Kept& item : kept) {
    const auto by = std::find_if(item.owners.begin(), item.owners.end(), IsOfKubectl);
    if (by != item.owners.end()) return Refusal(item, by->name, file);
  }
  return Ok();
}

}  // namespace smp::apply
