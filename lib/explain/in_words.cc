#include "explain/in_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

// What the outcome is compared with. In a new value, what the server changes is compared with the manifest.
const Value* Before(const ReportRow& row) {
  return row.live == nullptr && row.reason == Reason::kServer ? row.modified : row.live;
}

bool Changes(const ReportRow& row) { return row.op != RowOp::kKeep; }

// Returns true if a member says little without the name of the field that it is in: maps whose keys are names of the
// user's, and variables.
bool SaysLittle(std::string_view field, std::string_view above) {
  return above == "labels" || above == "annotations" || (above == "env" && field.starts_with("value"));
}

// Returns the last field of the path, or the one that it is in.
std::string_view ShortName(const FieldPath& path) {
  std::string_view name, above;
  for (const PathStep& step : path) {
    if (step.kind != PathStep::Kind::kField) continue;
    above = name;
    name = step.name;
  }
  return SaysLittle(name, above) ? above : name;
}

constexpr size_t kMostNames = 5;

std::string OneLine(const Value& value, size_t longest) {
  const std::string json = WriteJson(value);
  const std::string_view shown = Utf8Prefix(json, longest);
  return StrCat(shown, shown.size() < json.size() ? "…" : "");
}

// Returns true if the change is not, or not only, the manifest's: somebody changed live, or loses something.
bool IsOthersWork(Reason reason) {
  return reason == Reason::kConflict || reason == Reason::kDrift || reason == Reason::kRestored ||
         reason == Reason::kAtomic;
}

}  // namespace

std::string NameOf(const ObjectReport& object) {
  if (object.kind.empty() && !object.source.file.empty()) return ToString(object.source);
  std::string out = StrCat(object.kind.empty() ? "?" : object.kind, " ");
  if (!object.name_space.empty()) out += StrCat(object.name_space, "/");
  return StrCat(out, object.name.empty() ? "?" : object.name);
}

namespace {

std::string_view WordsOfComparison(const ObjectReport& object) {
  switch (object.action) {
    case Action::kCreate: return "only here";
    case Action::kPrune: return "only there";
    case Action::kUnchanged: return "equal";
    case Action::kError: return "cannot be compared (see the error)";
    default: return "differs";
  }
}

}  // namespace

std::string_view ActionWords(const ObjectReport& object) {
  if (object.compared) return WordsOfComparison(object);
  switch (object.action) {
    case Action::kCreate: return "will be created";
    case Action::kChange: return "will change";
    case Action::kRecord: return "only its last-applied annotation changes";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "will be deleted: it was applied before, and stands in no manifest now";
    case Action::kRecreate: return "will be deleted and created again";
    case Action::kError: return object.rows.empty() ? "cannot be explained (see the error)" : "refused (see the error)";
  }
  return "";
}

std::string_view CountedAs(Action action) {
  switch (action) {
    case Action::kCreate: return "to create";
    case Action::kChange: return "to change";
    case Action::kRecord: return "to record";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "to delete";
    case Action::kRecreate: return "to recreate";
    case Action::kError: return "with errors";
  }
  return "";
}

namespace {

std::string_view CountedInComparison(Action action) {
  switch (action) {
    case Action::kCreate: return "only here";
    case Action::kPrune: return "only there";
    case Action::kUnchanged: return "equal";
    case Action::kError: return "with errors";
    default: return "different";
  }
}

}  // namespace

std::string CountObjects(const Report& report) {
  std::map<Action, size_t> counts;
  for (const ObjectReport& object : report.objects) ++counts[object.action];
  std::vector<std::string> parts;
  for (const auto& [action, count] : counts) {
    parts.push_back(StrCat(count, " ", report.here ? CountedInComparison(action) : CountedAs(action)));
  }
  const size_t n = report.objects.size();
  const std::string ignored = CountIgnored(report);
  return StrCat(n, n == 1 ? " object: " : " objects: ", Join(parts, ", "), ignored.empty() ? "" : "; ", ignored);
}

std::string ContextWords(const ReportContext& context) {
  return StrCat("context ", context.name.empty() ? "-" : context.name, ", server ", context.server, ", user ",
                context.user.empty() ? "-" : context.user, ", namespace ", context.name_space);
}

std::string ComparedPlaces(const Report& report) {
  if (!report.context || !report.here) return {};
  const auto words = [](const ReportContext& context) { return Visible(ContextWords(context), Newlines::kEscape); };
  return StrCat("there: ", words(*report.context), "\nhere:  ", words(*report.here), "\n");
}

std::string CountIgnored(const Report& report) {
  size_t count = 0;
  std::set<std::string> by;
  for (const ObjectReport& object : report.objects) {
    count += object.hidden.ignored;
    by.insert(object.ignored_by.begin(), object.ignored_by.end());
  }
  return count == 0 ? "" : StrCat(count, " ignored (", Join(by, ", "), ")");
}

std::string NotAsked(const Report& report) {
  const bool offline = !report.context.has_value();
  const auto sends = [](const ObjectReport& object) { return object.patch || object.action == Action::kCreate; };
  if (offline || report.here || report.asked == Asked::kServer) return {};
  if (std::none_of(report.objects.begin(), report.objects.end(), sends)) return {};
  return "the server was not asked (validation, admission, webhooks); use --ask-server";
}

std::string NotCompared(const Report& report) {
  std::set<std::string> names;
  for (const ObjectReport& object : report.objects) {
    names.insert(object.not_compared.begin(), object.not_compared.end());
  }
  return names.empty() ? "" : StrCat("not compared, though different: ", Join(names, ", "));
}

std::string OnlyInLive(const Report& report) {
  size_t fields = 0;
  for (const ObjectReport& object : report.objects) fields += object.hidden.live_only - object.kept_of_others;
  if (fields == 0) return {};
  return StrCat(fields, fields == 1 ? " field" : " fields", " only in live, kept (--show=live-only)");
}

std::string ChangedFields(const ObjectReport& object) {
  struct Field {
    std::string_view name, surprise;
    size_t count = 0;
  };
  std::vector<Field> fields;  // in the order of the rows
  std::unordered_map<std::string_view, size_t> places;
  for (const ReportRow& row : object.rows) {
    if (!Changes(row)) continue;
    const std::string_view name = ShortName(row.path);
    const auto [at, is_new] = places.try_emplace(name, fields.size());
    if (is_new) fields.push_back({.name = name});
    Field& field = fields[at->second];
    ++field.count;
    if (field.surprise.empty() && IsOthersWork(row.reason)) field.surprise = ReasonName(row.reason);
  }
  // Where not all are named, these are.
  std::ranges::stable_partition(fields, [](const Field& field) { return !field.surprise.empty(); });
  std::vector<std::string> names;
  for (const Field& field : fields) {
    std::string more = field.count > 1 ? StrCat(field.count) : "";
    if (!field.surprise.empty()) more += StrCat(more.empty() ? "" : ", ", field.surprise);
    names.push_back(more.empty() ? std::string(field.name) : StrCat(field.name, " (", more, ")"));
  }
  return NameSome(std::move(names), kMostNames);
}

size_t CountChanges(const ObjectReport& object) {
  return static_cast<size_t>(std::count_if(object.rows.begin(), object.rows.end(), Changes));
}

char Sign(const ReportRow& row) {
  switch (row.op) {
    case RowOp::kSet: return Before(row) == nullptr ? '+' : '~';
    case RowOp::kDelete: return '-';
    case RowOp::kMove: return '>';
    case RowOp::kKeep: return '=';
  }
  return '~';
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

std::string ValueBefore(const ReportRow& row, size_t longest) {
  if (row.masked) return row.masked_live.empty() ? "" : "***";
  const Value* value = ValueBefore(row);
  return value == nullptr ? "" : OneLine(*value, longest);
}

std::string ValueAfter(const ReportRow& row, size_t longest) {
  if (row.masked) return row.masked_outcome.empty() ? "" : "***";
  const Value* value = ValueAfter(row);
  return value == nullptr ? "" : OneLine(*value, longest);
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
