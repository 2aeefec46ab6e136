#include "explain/row_values.h"

#include <optional>

#include "base/strings.h"
#include "explain/changed_words.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

// What the outcome is compared with. In a new value, what the server changes is compared with the manifest. An empty list that
// live has as null is no value.
const Value* Before(const ReportRow& row) {
  if (row.reason == Reason::kAdded) return nullptr;
  return row.live == nullptr && row.reason == Reason::kServer ? row.modified : row.live;
}

}  // namespace

char Sign(const ReportRow& row) {
  switch (row.op) {
    case RowOp::kSet: return Before(row) == nullptr ? '+' : '~';
    case RowOp::kDelete: return '-';
    case RowOp::kMove: return '>';
    case RowOp::kKeep: return '=';
  }
  return '~';
}

std::optional<std::pair<std::string_view, std::string_view>> ChangedImage(const ReportRow& row) {
  if (row.masked || row.path.empty() || row.path.back().name != "image") return std::nullopt;
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  const bool both = before != nullptr && after != nullptr && before->is_string() && after->is_string();
  return both ? std::optional(std::pair(before->AsString(), after->AsString())) : std::nullopt;
}

const Value* ValueBefore(const ReportRow& row) {
  return row.op == RowOp::kKeep || row.op == RowOp::kMove ? nullptr : Before(row);
}

const Value* ValueAfter(const ReportRow& row) {
  if (row.op == RowOp::kDelete || row.op == RowOp::kMove) return nullptr;
  // Of a map or list what the manifest says, without the defaults that the server fills in.
  const bool whole =
      row.op == RowOp::kSet && row.modified != nullptr && !row.modified->is_scalar() && !row.shows_outcome;
  return whole ? row.modified : row.outcome;
}

namespace {

// Returns the value as JSON. A long one is cut so that what differs from the other one is seen.
std::string BesideOther(const Value* value, const Value* other, size_t longest) {
  if (value == nullptr) return {};
  const std::string text = WriteJson(*value);
  if (other == nullptr || text.size() <= longest) return CutEnd(text, longest);
  const CutLine cut = CutAroundChanges(text, WriteJson(*other), longest);
  if (cut.hidden == 0) return cut.text;
  return StrCat(cut.text, " (and ", Counted(cut.hidden, "more change"), ")");
}

}  // namespace

std::string ValueBefore(const ReportRow& row, size_t longest) {
  if (row.masked) return row.masked_live.empty() ? "" : "***";
  return BesideOther(ValueBefore(row), ValueAfter(row), longest);
}

std::string ValueAfter(const ReportRow& row, size_t longest) {
  if (row.masked) return row.masked_outcome.empty() ? "" : "***";
  return BesideOther(ValueAfter(row), ValueBefore(row), longest);
}

bool IsSurprise(Reason reason) {
  switch (reason) {
    case Reason::kConflict:
    case Reason::kDrift:
    case Reason::kRestored:
    case Reason::kUnion:
    case Reason::kRetainKeys:
    case Reason::kAtomic:
    case Reason::kDuplicate:
    case Reason::kServer: return true;
    default: return false;
  }
}

}  // namespace smp::explain
