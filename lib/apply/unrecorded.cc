#include "apply/unrecorded.h"

#include <algorithm>
#include <map>
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
};

bool IsAdded(const PlanNode& item) { return item.op == Op::kSet && item.live == nullptr; }
bool IsKept(const PlanNode& item) { return item.op == Op::kKeep && item.live != nullptr && item.modified == nullptr; }

FieldPath Below(FieldPath path, const PathStep& step) {
  path.push_back(step);
  return path;
}

void CollectOfList(const PlanNode& list, const FieldPath& path, std::vector<Kept>& out) {
  const auto added = std::find_if(list.children.begin(), list.children.end(), IsAdded);
  if (added == list.children.end()) return;
  for (const PlanNode& item : list.children) {
    if (IsKept(item)) out.push_back({Below(path, StepTo(list, item)), Below(path, StepTo(list, *added))});
  }
}

void Collect(const PlanNode& node, FieldPath& path, std::vector<Kept>& out) {
  if (!node.changes()) return;
  if (node.shape == Shape::kItems) CollectOfList(node, path, out);
  for (const PlanNode& child : node.children) {
    path.push_back(StepTo(node, child));
    Collect(child, path, out);
    path.pop_back();
  }
}

// Returns the path with the keys of each item sorted, as in managedFields.
std::string Comparable(FieldPath path) {
  for (PathStep& step : path) std::sort(step.keys.begin(), step.keys.end());
  return ToString(path);
}

// True for kubectl-create, kubectl-edit, kubectl-replace, …: a person wrote the fields, not a controller.
bool IsOfKubectl(const Value& entry) {
  return entry.StringOr("manager").starts_with("kubectl") && entry.StringOr("operation") == "Update" &&
         entry.StringOr("subresource").empty();
}

// Returns the paths written by kubectl, each with the command that wrote it.
std::map<std::string, std::string> WrittenByKubectl(const Value& live) {
  std::map<std::string, std::string> out;
  for (const Value& entry : ManagedFields(live)) {
    if (!IsOfKubectl(entry)) continue;
    const std::string manager(entry.StringOr("manager"));
    ForEachOwnedField(entry,
                      [&](const std::string&, const FieldPath& path) { out.emplace(Comparable(path), manager); });
  }
  return out;
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
  Collect(plan.root, path, kept);
  if (kept.empty()) return Ok();
  const std::map<std::string, std::string> written = WrittenByKubectl(live);
  for (const Kept& item : kept) {
    const auto by = written.find(Comparable(item.path));
    if (by != written.end()) return Refusal(item, by->second, file);
  }
  return Ok();
}

}  // namespace smp::apply
