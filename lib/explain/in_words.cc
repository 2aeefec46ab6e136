#include "explain/in_words.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
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

}  // namespace

std::string NameOf(const ObjectReport& object) {
  if (object.kind.empty() && !object.source.file.empty()) return FileAndLine(object.source);
  std::string out = StrCat(object.kind.empty() ? "?" : object.kind, " ");
  if (!object.name_space.empty()) out += StrCat(object.name_space, "/");
  return StrCat(out, object.name.empty() ? "?" : object.name);
}

std::string_view ActionWords(const ObjectReport& object) {
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

std::string FileAndLine(const Source& source) {
  return source.line > 0 ? StrCat(source.file, ":", source.line) : source.file;
}

std::string CountObjects(const Report& report) {
  const std::string_view words[] = {"to create", "to change",   "to record",  "unchanged",
                                    "to delete", "to recreate", "with errors"};
  size_t counts[std::size(words)] = {};
  for (const ObjectReport& object : report.objects) ++counts[static_cast<size_t>(object.action)];
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::size(words); ++i) {
    if (counts[i] > 0) parts.push_back(StrCat(counts[i], " ", words[i]));
  }
  const size_t n = report.objects.size();
  return StrCat(n, n == 1 ? " object: " : " objects: ", Join(parts, ", "));
}

std::string ChangedFields(const ObjectReport& object) {
  std::vector<std::pair<std::string_view, size_t>> counts;  // in the order of the rows
  std::unordered_map<std::string_view, size_t> places;
  for (const ReportRow& row : object.rows) {
    if (!Changes(row)) continue;
    const std::string_view name = ShortName(row.path);
    const auto [at, is_new] = places.try_emplace(name, counts.size());
    if (is_new) counts.emplace_back(name, 0);
    ++counts[at->second].second;
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(count > 1 ? StrCat(name, " (", count, ")") : StrCat(name));
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
