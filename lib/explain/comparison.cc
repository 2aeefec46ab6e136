#include "explain/comparison.h"

#include <algorithm>

#include "explain/message.h"

namespace smp::explain {

namespace {

// Only some reasons tell how two objects differ: nobody keeps keys, takes over or restores anything.
void SayWhere(ReportRow& row) {
  row.original = nullptr;
  if (row.op == RowOp::kMove) return;
  const bool deletes = row.op == RowOp::kDelete, adds = !deletes && row.live == nullptr;
  row.message = deletes ? kOnlyThere : adds ? kOnlyHere : kDiffers;
  row.reason = deletes ? Reason::kRemoved : adds ? Reason::kAdded : Reason::kChanged;
}

// What the server would make of a change, and what would stay as it is.
bool IsOfApply(const ReportRow& row) { return row.reason == Reason::kServer || row.op == RowOp::kKeep; }

}  // namespace

void ToComparison(ObjectReport& report) {
  report.compared = true;
  std::erase_if(report.rows, IsOfApply);
  std::ranges::for_each(report.rows, SayWhere);
  if (report.action != Action::kCreate && !HasChange(report)) report.action = Action::kUnchanged;
  report.hidden.noise += report.hidden.live_only;
  report.hidden.live_only = report.kept_of_others = 0;
  report.patch.reset();
  report.new_pods = false;
  report.appliers.clear();
  report.of_others.clear();
  report.warnings.clear();
}

ObjectReport ReportOnlyThere(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  ObjectReport report = ReportPruned(gvk, name_space, name);
  report.compared = true;
  return report;
}

}  // namespace smp::explain
