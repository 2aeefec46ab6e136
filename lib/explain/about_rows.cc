#include "explain/about_rows.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/of_others.h"
#include "explain/row_values.h"
#include "explain/text_rows.h"
#include "explain/undone_worries.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

// Returns true if a sentence below a row says what others did in live: who applied the object last is then of interest. What
// follows from the manifest by a rule of the server says nothing of them.
bool TellsOfOthers(const ReportRow& row) {
  const bool by_rule =
      row.reason == Reason::kServer || row.reason == Reason::kUnion || row.reason == Reason::kRetainKeys;
  return row.op != RowOp::kMove && !by_rule && !IsPlain(row.message);
}

bool OnlyMetadataChanges(const ObjectReport& object) {
  return object.action == Action::kChange && std::ranges::all_of(object.rows, [](const ReportRow& row) {
           return row.op == RowOp::kKeep || (!row.path.empty() && row.path[0].name == "metadata");
         });
}

// Returns true if the manifest changes a text in a ConfigMap or Secret, and nobody else did.
bool OneFileChanges(const ObjectReport& object) {
  if (object.action != Action::kChange || (object.kind != "ConfigMap" && object.kind != "Secret")) return false;
  size_t files = 0;
  for (const ReportRow& row : object.rows) {
    if (row.op == RowOp::kKeep || row.path.empty() || row.path[0].name == "metadata") continue;
    const bool is_text = row.masked || IsTextBlock(ValueAfter(row));
    if (row.op != RowOp::kSet || row.path.size() != 2 || row.reason != Reason::kChanged || !is_text) return false;
    ++files;
  }
  return files == 1;
}

// Kubernetes' own groups have no dot, or end with k8s.io.
bool IsCustom(std::string_view api_version) {
  const std::string_view group = GroupOf(api_version);
  return group.find('.') != group.npos && !group.ends_with(".k8s.io");
}

// Whether it does is known to its controller alone.
bool MayStartPods(const ObjectReport& object) {
  return object.action == Action::kChange && IsCustom(object.api_version) &&
         std::ranges::any_of(object.rows, [](const ReportRow& row) { return ChangedImage(row).has_value(); });
}

// Of a list or a text, only a part may be undone: the manifest has changed the rest.
bool IsChangedWithin(const ReportRow& row) {
  if (row.original == nullptr || row.modified == nullptr || *row.original == *row.modified) return false;
  return !row.modified->is_scalar() || IsTextBlock(row.modified);
}

// What is added may have been removed by others: managedFields, which is all that a server-side apply goes by, do not say what somebody
// removed or moved.
std::set<std::string_view> MayBringBack(const ObjectReport& object) {
  std::set<std::string_view> out;
  if (!object.lacks_record) return out;
  for (const ReportRow& row : object.rows) {
    if (row.op == RowOp::kMove && !row.drifted) out.insert("an order that was changed");
    const bool is_new = row.live == nullptr && row.reason != Reason::kRestored;
    if (row.op == RowOp::kSet && (is_new || row.may_have_lost_parts)) out.insert("what was removed");
  }
  return out;
}

bool BringsChanges(const ObjectReport& object) {
  const UndoingRows undone = RowsThatUndo(object);
  return std::ranges::any_of(object.rows, [&](const ReportRow& row) {
    return row.op != RowOp::kKeep && (!undone.contains(&row) || IsChangedWithin(row));
  });
}

}  // namespace

AboutRows DescribeRows(const ObjectReport& object) {
  const bool changes = object.action == Action::kChange || object.action == Action::kRecreate;
  const bool unusual = std::ranges::any_of(object.rows, TellsOfOthers) || !AllOfClientSideApply(object.appliers);
  return {.any = !object.rows.empty(),
          .action = ActionWords(object),
          .changes = CountChanges(object),
          .brings_changes = BringsChanges(object),
          .may_bring_back = MayBringBack(object),
          .changed_fields = DescribeChangedFields(object),
          .says_who_applied = changes && !object.appliers.empty() && unusual,
          .only_metadata = OnlyMetadataChanges(object),
          .one_file = OneFileChanges(object),
          .may_start_pods = MayStartPods(object),
          .worries = WorriesOf(object)};
}

std::vector<std::string> Remarks(const ObjectReport& object) {
  std::vector<std::string> out;
  for (const std::string& warning : object.warnings) out.push_back(StrCat("warning: ", warning));
  if (!object.unasked.empty()) out.push_back(StrCat("not checked by the server: ", object.unasked));
  return out;
}

}  // namespace smp::explain
