#include "explain/undone_worries.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/danger.h"
#include "explain/image_words.h"
#include "explain/message.h"
#include "explain/of_others.h"
#include "explain/row_values.h"
#include "explain/undone_words.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/path.h"

namespace smp::explain {

namespace {

bool IsOthersApply(const FieldManager& manager) { return IsOfOthers(manager) && IsOfApply(manager); }

bool HasOthers(const ReportRow& row) { return row.live != nullptr && std::ranges::any_of(row.managers, IsOfOthers); }

// A null that was applied set no value.
bool DiffersFromApplied(const ReportRow& row) {
  const bool are_scalars =
      row.live != nullptr && row.original != nullptr && row.live->is_scalar() && row.original->is_scalar();
  return are_scalars && (row.drifted || (row.original->is_null() && !row.live->is_null()));
}

// Returns true if live has what was applied last. Whoever owns it then has changed something beside it, in a map that is owned as a
// whole, unless he applies it, too.
bool IsAsApplied(const ReportRow& row) {
  if (row.live == nullptr || row.original == nullptr || !row.live->is_scalar() || *row.live != *row.original)
    return false;
  return std::ranges::none_of(row.managers, IsOthersApply);
}

bool AreServerSideApply(const std::vector<FieldManager>& managers) {
  return !managers.empty() && std::ranges::all_of(managers, [](const FieldManager& manager) {
    return KindOf(manager) == ManagerKind::kServerSideApply;
  });
}

// Returns true for what kubectl's server-side apply, or ours, has set, if nothing else has applied the object: on the way back to
// client-side apply, it is what the manifest had before.
bool WasAppliedServerSide(const ReportRow& row, const ObjectReport& object) {
  return AreServerSideApply(row.managers) && AreServerSideApply(object.appliers);
}

// Scaling to 0 and up again leaves no manager. The default of Kubernetes' own workloads is 1; a CRD may have another one.
bool WasScaled(const ReportRow& row, const ObjectReport& object) {
  const bool is_workload = object.api_version == "apps/v1" || object.kind == "ReplicationController";
  const bool is_number = row.path.size() == 2 && row.path[0].name == "spec" && row.path[1].name == "replicas";
  return is_workload && is_number && row.managers.empty() && row.live != nullptr && row.live->is_number() &&
         WriteJson(*row.live) != "1";
}

// Returns true if another manager owns what is applied again as it was, or what a server-side apply may have set before: somebody may have
// taken something away from a list or a text, of which managedFields keep no record.
bool MayHaveLostParts(const ReportRow& row) {
  const bool is_as_applied = row.original == nullptr || (row.modified != nullptr && *row.modified == *row.original);
  return HasOthers(row) && is_as_applied;
}

bool Undoes(const ReportRow& row, const ObjectReport& object) {
  if (row.op == RowOp::kMove) return row.drifted;
  if (row.op != RowOp::kSet && row.op != RowOp::kDelete) return false;
  if (IsLastAppliedAnnotation(row.path)) return false;  // the server writes it, too
  switch (row.reason) {
    case Reason::kConflict: return !UndoesNothing(row) || MayHaveLostParts(row);
    case Reason::kDrift: return !row.stored_otherwise;
    case Reason::kRestored: return true;
    case Reason::kAtomic:
      // What only we have written, the server has added to.
      return (row.managers.empty() || !AllOfClientSideApply(row.managers)) && !WasAppliedServerSide(row, object) &&
             !UndoesNothing(row);
    case Reason::kOwned:
      if (object.lacks_record && !object.is_taken_over && MayHaveLostParts(row)) return true;
      return WasScaled(row, object) || (!IsPlain(row.message) && !BlamesNobody(row.message) &&
                                        !WasAppliedServerSide(row, object) && !UndoesNothing(row));
    // Scaling to 0 leaves no manager, but another value than was applied.
    case Reason::kRemoved: return (HasOthers(row) && !IsAsApplied(row)) || DiffersFromApplied(row);
    default: return HasOthers(row);
  }
}

// Returns true for a map, list or item that the manifest removes, and in which others have only changed something.
bool RemovesTouched(const ReportRow& row) {
  return row.op == RowOp::kDelete && row.reason == Reason::kRemoved && row.live != nullptr && !row.live->is_scalar();
}

std::string PathOfVariable(const ReportRow& row) { return ToString(FieldPath(row.path.begin(), row.path.end() - 1)); }

// Returns the paths of the variables that get their value from elsewhere again, and of which the rows of their values tell.
std::set<std::string> ToldByTheirValues(const ObjectReport& object) {
  std::set<std::string> out;
  for (const ReportRow& row : object.rows) {
    const bool is_value = row.reason == Reason::kUnion && !row.path.empty() && row.path.back().name == "value";
    if (is_value) out.insert(PathOfVariable(row));
  }
  return out;
}

// Returns "env HEAP 6g → from ConfigMap settings" of a variable's value that goes because the manifest has it from somewhere else.
std::string SourceThatComes(const ReportRow& row, const ObjectReport& object) {
  const bool is_value = row.path.size() > 2 && row.path.back().name == "value" && row.op == RowOp::kDelete;
  if (!is_value) return {};
  FieldPath path = row.path;
  path.back() = PathStep::Field("valueFrom");
  const auto comes = std::ranges::find_if(
      object.rows, [&](const ReportRow& other) { return other.op == RowOp::kSet && other.path == path; });
  if (comes == object.rows.end() || comes->outcome == nullptr) return {};
  const std::string_view map = TextAt(*comes->outcome, {"configMapKeyRef", "name"}),
                         secret = TextAt(*comes->outcome, {"secretKeyRef", "name"});
  const std::string from = !map.empty()      ? StrCat("from ConfigMap ", map)
                           : !secret.empty() ? StrCat("from Secret ", secret)
                                             : "valueFrom";
  path.pop_back();
  const bool is_hidden = row.masked || IsPassword(row.path);
  const std::string value = is_hidden ? "" : ShortValue(row.live);
  return StrCat(FieldInWords(path), value.empty() ? "" : " ", value, " → ", from);
}

// What only people see, or means the same.
bool IsHarmless(std::string_view undone) {
  return undone.ends_with(kRightsStay) ||
         undone.substr(0, undone.find(", ")).find("additionalPrinterColumns") != undone.npos;
}

// Returns true for a workload that somebody scaled to 0.
bool StartsAgain(const ReportRow& row) {
  const auto is_number = [](const Value* value) { return value != nullptr && value->is_int(); };
  const bool is_scale = row.path.size() == 2 && row.path.back().name == "replicas";
  return is_scale && is_number(row.live) && is_number(row.outcome) && row.live->AsInt() == 0 &&
         row.outcome->AsInt() > 0;
}

// Returns true for what goes with the type LoadBalancer of a Service.
bool IsOfLoadBalancers(const ReportRow& row) {
  constexpr std::string_view kFields[] = {"allocateLoadBalancerNodePorts", "externalTrafficPolicy",
                                          "healthCheckNodePort"};
  return row.path.size() == 2 && row.op == RowOp::kDelete &&
         std::ranges::find(kFields, row.path[1].name) != std::end(kFields);
}

// The server takes it away because the type changes, which is told.
bool IsAddressOfLoadBalancer(const ReportRow& row) {
  return row.reason == Reason::kServer && row.path.size() > 1 && row.path[0].name == "status" &&
         row.path[1].name == "loadBalancer";
}

WorryWords::Rank RankOf(const ReportRow& row, std::string_view undone) {
  using Rank = WorryWords::Rank;
  return StartsAgain(row)                               ? Rank::kFirst
         : IsHarmless(undone) || IsOfLoadBalancers(row) ? Rank::kHarmless
                                                        : Rank::kUsual;
}

// Returns " (no longer in the manifest; starts again)".
std::string NoteOf(const ReportRow& row, const ObjectReport& object) {
  std::vector<std::string> notes;
  const bool is_default = row.reason == Reason::kRemoved && row.op == RowOp::kSet && row.outcome != nullptr;
  if (is_default) notes.emplace_back("no longer in the manifest");
  if (StartsAgain(row)) notes.emplace_back("starts again");
  // What was applied before did not say anything of it: else readers think that all of the change is somebody's.
  const bool has_record = std::ranges::any_of(
      object.appliers, [](const FieldManager& manager) { return KindOf(manager) == ManagerKind::kClientSideApply; });
  const bool is_new = has_record && row.reason == Reason::kOwned && row.op == RowOp::kSet && row.original == nullptr;
  if (is_new) notes.emplace_back("new in the manifest");
  return notes.empty() ? "" : StrCat(" (", Join(notes, "; "), ")");
}

struct UndoneRow {
  Worry worry;
  std::string words;
  NamesOnce managers;
  WorryWords::Rank rank = WorryWords::Rank::kUsual;
  Danger danger = Danger::kOther;
};

std::vector<UndoneRow> UndoneRows(const ObjectReport& object, const UndoingRows& undone) {
  const std::set<std::string> told = ToldByTheirValues(object);
  std::vector<UndoneRow> out;
  for (const ReportRow& row : object.rows) {
    if (!undone.contains(&row) || IsAddressOfLoadBalancer(row)) continue;
    const bool is_source = !row.path.empty() && row.path.back().name == "valueFrom";
    if (is_source && told.contains(PathOfVariable(row))) continue;
    const Worry worry = object.is_taken_over  ? Worry::kTakesOver
                        : RemovesTouched(row) ? Worry::kRemovesTouched
                                              : Worry::kUndoes;
    const std::string source = SourceThatComes(row, object);
    out.push_back({worry, source.empty() ? UndoneInWords(row, object.name) : source, OthersOf(row, object)});
    out.back().rank = RankOf(row, out.back().words);
    out.back().words += NoteOf(row, object);
    out.back().danger = DangerOf(row.path);
  }
  std::ranges::stable_sort(out, {}, [](const UndoneRow& row) { return std::pair(row.rank, row.danger); });
  return out;
}

// A refused object keeps what the apply would have undone.
void AddKeptByRefusal(const ObjectReport& object, FieldsByManagers& out) {
  for (const ReportRow& row : object.rows) {
    if (!Undoes(row, object) || row.live == nullptr) continue;
    const NamesOnce managers = OthersOf(row, object);
    if (managers.empty() && !DiffersFromApplied(row)) continue;
    const bool is_image = !row.masked && ChangedImage(row).has_value();
    const std::string value = is_image ? NameOfImage(row.live->AsString()) : row.masked ? "" : ShortValue(row.live);
    out.Add(FieldOfOthersInWords(row.path, value), managers);
  }
}

// What a vertical autoscaler sets decides where Pods fit.
bool IsOfResources(const FieldPath& path) {
  return std::ranges::any_of(path, [](const PathStep& step) { return step.name == "resources"; });
}

}  // namespace

UndoingRows RowsThatUndo(const ObjectReport& object) {
  UndoingRows out;
  for (const ReportRow& row : object.rows) {
    if (Undoes(row, object)) out.insert(&row);
  }
  return out;
}

NamesOnce OthersOf(const ReportRow& row, const ObjectReport& object) {
  NamesOnce out;
  for (const FieldManager& manager : row.managers) {
    if (IsOfOthers(manager)) out.Add(ManagerInWords(manager, object));
  }
  return out;
}

void AddUndone(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  std::map<Worry, FieldsByManagers> all;
  std::map<Worry, WorryWords::Rank> ranks;
  for (UndoneRow& row : UndoneRows(object, undone)) {
    ranks.try_emplace(row.worry, row.rank);  // the first is the highest
    all[row.worry].Add(std::move(row.words), row.managers);
  }
  for (const auto& [worry, fields] : all) {
    out[worry] = fields.Words();
    out[worry].rank = ranks[worry];
  }
}

bool IsPrivilege(const FieldPath& path) {
  constexpr std::string_view kOfWebhooks[] = {"failurePolicy", "matchConditions", "namespaceSelector", "objectSelector",
                                              "timeoutSeconds"};
  return path.empty() || path.front().name != "webhooks" ||
         std::ranges::find(kOfWebhooks, path.back().name) == std::end(kOfWebhooks);
}

void AddKept(const ObjectReport& object, FoundWorries& out) {
  FieldsByManagers kept;
  if (object.action == Action::kError) AddKeptByRefusal(object, kept);
  const auto is_owned = [](const FieldsOfManager& of) {
    return std::ranges::any_of(of.paths, [](const FieldPath& path) { return path.back().name == "replicas"; });
  };
  if (object.scale.stays_at_zero && std::ranges::none_of(object.of_others, is_owned)) {
    kept.Add("replicas: 0", NamesOnce());
  }
  for (const FieldsOfManager& of_manager : object.of_others) {
    const bool scales = of_manager.manager.subresource == "scale";
    const bool is_told = !IsController(of_manager.manager) || scales;
    NamesOnce manager;
    manager.Add(ManagerInWords(of_manager.manager, object));
    for (size_t i = 0; i < of_manager.paths.size(); ++i) {
      if (!is_told && !IsOfResources(of_manager.paths[i])) continue;
      const auto& told = object.privileges;
      const bool is_told_already = std::ranges::find(told, of_manager.paths[i]) != told.end();
      if (is_told_already && IsPrivilege(of_manager.paths[i])) continue;
      kept.Add(FieldOfOthersInWords(of_manager.paths[i], of_manager.values[i]), manager);
    }
  }
  if (!kept.empty()) out[object.action == Action::kError ? Worry::kKeptByRefusal : Worry::kKeeps] = kept.Words();
}

void AddDeletedOfOthers(const ObjectReport& object, FoundWorries& out) {
  NamesOnce managers;
  for (const FieldManager& manager : object.deleted_of) {
    if (IsOfOthers(manager) && !IsController(manager)) managers.Add(ManagerInWords(manager, object));
  }
  if (!managers.empty()) out[Worry::kRemovesTouched] = {StrCat("by ", managers.Some(kMostTold))};
}

}  // namespace smp::explain
