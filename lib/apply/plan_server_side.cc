#include "apply/plan_server_side.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "apply/foretold_refusals.h"
#include "apply/keep_annotation.h"
#include "apply/server_side.h"
#include "apply/submit.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "kube/brief_message.h"
#include "smp/foretell.h"
#include "smp/refused_items.h"
#include "smp/server_side_merge.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

ServerSideInput InputFor(const Prepared& prepared, const Value& live, std::vector<Value> entries,
                         const std::string& manager) {
  const Value& manifest = prepared.manifest.root();
  const Value* string_data = IsSecret(manifest) ? manifest.Find("stringData") : nullptr;
  if (string_data != nullptr && !string_data->is_object()) string_data = nullptr;
  return {.manifest = &prepared.desired.root(),
          .string_data = string_data,
          .sent_data = manifest.Find("data"),
          .live = &live,
          .entries = std::move(entries),
          .manager = manager,
          .schema = prepared.schema.get(),
          .type = prepared.resource.type};
}

void Take(ServerSidePlan plan, ServerSidePlanning planning, bool migrates, Prepared& prepared) {
  if (!plan.other_version.empty()) {
    prepared.notes.push_back(
        StrCat(planning.manager, " applied the object as ", plan.other_version,
               "; fields that have another name there and that the manifest lacks now are not seen"));
  }
  if (plan.patch.plan.changed()) plan.patch.body = prepared.desired;
  prepared.patch = std::move(plan.patch);
  prepared.server_side = {std::move(planning), std::move(plan.conflicts), std::move(plan.clashes),
                          std::move(plan.refused), migrates};
}

std::vector<std::string> OwnersOf(const std::vector<FieldConflict>& conflicts,
                                  std::optional<std::chrono::sys_seconds> now) {
  std::vector<std::string> out;
  for (const FieldConflict& conflict : conflicts) {
    out.push_back(StrCat(ToString(conflict.path), " is owned by ", Describe(conflict.owners, now)));
  }
  return out;
}

Error ConflictOfManagers(const std::vector<FieldConflict>& conflicts, std::optional<std::chrono::sys_seconds> now) {
  const std::string count = StrCat(conflicts.size(), conflicts.size() == 1 ? " conflict" : " conflicts");
  return Error::Conflict(StrCat("the server would refuse the apply: ", count, ": ",
                                NameSome(OwnersOf(conflicts, now), kMostNamed),
                                "; use --force-conflicts to take such fields, or remove them from the manifest"));
}

// Where apply chose to be server-side: the other managers shall not lose what they apply without a word.
Error RefusalForOthers(const std::vector<FieldConflict>& conflicts, const Prepared& prepared) {
  std::vector<std::string> lines;
  for (const FieldConflict& conflict : conflicts) {
    lines.push_back(ExplainConflict(conflict, prepared.live->root(), prepared.server_side->planning.manager));
  }
  return Error::Refused(StrCat("other managers apply other values server-side, so apply sends nothing:\n  ",
                               NameSome(std::move(lines), kMostNamed, "\n  "), "\n", kTakeoverAdvice));
}

// Returns live with the managedFields that the apply will find.
Document Migrated(const Prepared& prepared, const std::string& manager) {
  Arena arena;
  arena.Retain(*prepared.live);
  if (prepared.original) arena.Retain(*prepared.original);
  const Value entries = arena.Array(EntriesAfterMigration(prepared, prepared.mode, manager, arena));
  const Value root = WithAt(prepared.live->root(), {"metadata", "managedFields"}, entries, arena);
  return Document(std::move(arena), root);
}

// Returns live as the server reads an object that nobody owns anything of.
Document WithFirstOwner(const Prepared& prepared) {
  const Value& live = prepared.live->root();
  Arena arena;
  arena.Retain(*prepared.live);
  const Value fields = FieldsOfAll(live, *prepared.schema, prepared.resource.type, arena);
  const Value entries[] = {EntryOf(live, {.name = "before-first-apply", .operation = "Update"}, fields, arena)};
  const Value root = WithAt(live, {"metadata", "managedFields"}, arena.Array(entries), arena);
  return Document(std::move(arena), root);
}

// Returns the entries by which fields are removed in the end. The request after the migration has the resourceVersion of
// before it, if the manifest states one: the server refuses that request, and the fields stay.
std::vector<Value> EntriesInTheEnd(const Prepared& prepared, const std::string& manager, Arena& arena) {
  const Value& live = prepared.live->root();
  const bool states_version = !VersionOf(prepared.manifest.root()).empty();
  return states_version ? ManagedFields(live) : EntriesAfterMigration(live, manager, arena);
}

// Plans by the entries that decide what is removed.
Status PlanBy(std::vector<Value> entries, const ServerSidePlanning& planning, Prepared& prepared) {
  const Value& live = prepared.live->root();
  ServerSideInput input = InputFor(prepared, live, std::move(entries), planning.manager);
  if (prepared.original) input.last_applied = &prepared.original->root();
  SMP_ASSIGN(ServerSidePlan plan, PlanServerSide(input));
  Take(std::move(plan), planning, input.entries != ManagedFields(live), prepared);
  return Ok();
}

std::string_view WithoutForetold(std::string_view message) {
  return message.starts_with(kForetold) ? message.substr(kForetold.size()) : message;
}

// Returns why the server would refuse what the plan makes of live, whoever owns what.
std::optional<Error> RefusalOfMerge(const Prepared& prepared) {
  if (auto error = ServerSideRefusalOf(prepared, true)) return error;
  auto refusal = ForetellRefusal(prepared);
  return refusal ? std::optional(std::move(refusal->error)) : std::nullopt;
}

Error AtField(const Prepared& prepared, const FieldPath& path, std::string words) {
  Error error = Error::Refused(std::move(words));
  error.path = ToString(path);
  const Value* stated = ValueAt(prepared.manifest.root(), path);
  error.source = prepared.manifest.SourceOf(stated != nullptr ? stated : &prepared.manifest.root());
  return error;
}

std::string_view WordsOf(Refused::Why why) {
  switch (why) {
    case Refused::Why::kNull: return "foretold: null is no value of this field; leave the field out to remove it";
    case Refused::Why::kEmptied:
      return "foretold: nothing would be left in it but null, which is no value of this field; state what shall be in "
             "it";
    case Refused::Why::kRequired: return "foretold: Required value: others own something beside it, and that stays";
    case Refused::Why::kNullItem: return "foretold: null is no item of this list in a server-side apply; remove it";
    case Refused::Why::kTwice:
      return "foretold: the list has this item twice, which a server-side apply does not take; remove one";
    case Refused::Why::kNoKey:
      return "foretold: the item has none of the fields that tell the items of this list apart";
  }
  return {};
}

Error RefusalOf(const Prepared& prepared, const Refused& refused) {
  return AtField(prepared, refused.path, std::string(WordsOf(refused.why)));
}

std::optional<Refused> RefusedItemOf(const Prepared& prepared) {
  return FirstRefusedItem(prepared.manifest.root(), *prepared.schema, prepared.resource.type);
}

std::optional<Error> RefusalOfNew(const Prepared& prepared) {
  const smp::Place place = PlaceOfObject(*prepared.schema, prepared.resource.type);
  if (place.storage != Storage::kAsWritten) return std::nullopt;
  FieldPath path;
  std::vector<Refused> nulls;
  AddRefusedNulls(prepared.manifest.root(), place, path, nulls);
  return nulls.empty() ? std::nullopt : std::optional(RefusalOf(prepared, nulls.front()));
}

// Adds what the server refuses of the first request to what it refuses in the end. `refusal`: the first of it.
void TakeRefusals(const Prepared& first, Error refusal, Prepared& prepared) {
  const Prepared::ServerSide& from = *first.server_side;
  Prepared::ServerSide& into = *prepared.server_side;
  if (!from.clashes.empty()) into.clashes = from.clashes;
  if (!from.refused.empty()) into.refused = from.refused;
  if (into.clashes.empty() && into.refused.empty()) into.refusal_of_first = std::move(refusal);
}

Status PlanRequests(Prepared& prepared, const ServerSidePlanning& planning) {
  Arena arena;
  if (ManagedFields(prepared.live->root()).empty()) prepared.live = WithFirstOwner(prepared);
  SMP_TRY(PlanBy(EntriesInTheEnd(prepared, planning.manager, arena), planning, prepared));
  if (!prepared.server_side->migrates || ConflictOf(prepared, std::nullopt)) return Ok();
  // Two requests: the first one meets the entries as they are.
  Prepared first = prepared;
  SMP_TRY(PlanBy(ManagedFields(prepared.live->root()), planning, first));
  if (auto refusal = RefusalOfMerge(first)) {
    TakeRefusals(first, *std::move(refusal), prepared);
    return Ok();
  }
  const std::optional<Error> refusal = RefusalOfMerge(prepared);
  return refusal ? PlanFirstRequest(prepared, *refusal) : Ok();
}

bool LosesLastApplied(const Prepared& prepared) {
  const auto of = [](const Document& object) {
    return object.root().FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  };
  return of(*prepared.live) != nullptr && of(prepared.patch->outcome) == nullptr;
}

}  // namespace

std::string WhyServerSide(const ApplyMode& mode) {
  if (!mode.server_side) return {};
  if (!mode.too_large) return "it was applied server-side before, and has no last-applied annotation";
  return StrCat("with last-applied, the annotations would have ", mode.annotation_bytes,
                " bytes, and the server takes ", kMaxAnnotationBytes);
}

bool IsAppliedByOthers(const FieldConflict& conflict) { return std::ranges::any_of(conflict.owners, IsOfApply); }

Status PlanServerSideApply(Prepared& prepared, const ServerSidePlanning& planning) {
  SMP_TRY(PlanRequests(prepared, planning));
  if (std::string text = KeepsNothingServerSide(prepared.manifest.root()); !text.empty())
    prepared.notes.push_back(text);
  if (!LosesLastApplied(prepared) || ConflictOf(prepared, std::nullopt)) return Ok();
  prepared.notes.push_back(
      StrCat("the last-applied annotation will be removed: a server-side apply keeps it only for the field manager ",
             kServerSideManager, "; a later client-side apply will not delete what the manifest loses until then"));
  return Ok();
}

Status PlanFirstRequest(Prepared& prepared, const Error& refusal) {
  const ServerSidePlanning planning = prepared.server_side->planning;
  prepared.notes.clear();
  SMP_TRY(PlanBy(ManagedFields(prepared.live->root()), planning, prepared));
  prepared.server_side->keeps_removed = true;
  prepared.notes.push_back(StrCat(
      "apply ends with a warning: what the manifest no longer has stays, because the server refuses to remove it: ",
      refusal.path, refusal.path.empty() ? "" : ": ", kube::BriefMessage(WithoutForetold(refusal.message))));
  return Ok();
}

// There is no last-applied object: when the apply comes, live has lost the annotation.
Status PlanChosenServerSide(Prepared& prepared, const Planning& planning) {
  prepared.migrated = Migrated(prepared, planning.server_side_manager);
  const Value& live = prepared.migrated->root();
  ServerSideInput input = InputFor(prepared, live, ManagedFields(live), planning.server_side_manager);
  input.string_data = nullptr;  // it is sent as data, as in a patch
  SMP_ASSIGN(ServerSidePlan plan, PlanServerSide(input));
  const bool forced = planning.force_conflicts || std::ranges::none_of(plan.conflicts, IsAppliedByOthers);
  plan.patch.why = WhyServerSide(prepared.mode);
  Take(std::move(plan), {planning.server_side_manager, forced}, prepared.mode.migration(), prepared);
  return Ok();
}

std::optional<Error> ServerSideRefusalOf(const Prepared& prepared, bool server_side) {
  if (!prepared.server_side && !server_side && !prepared.mode.server_side) return std::nullopt;
  if (const auto refused = RefusedItemOf(prepared)) return RefusalOf(prepared, *refused);
  if (!prepared.server_side) return prepared.live ? std::nullopt : RefusalOfNew(prepared);
  const std::vector<FieldPath>& clashes = prepared.server_side->clashes;
  const std::vector<Refused>& refused = prepared.server_side->refused;
  if (!clashes.empty()) {
    const std::string_view way_out =
        prepared.mode.server_side ? "; apply --last-applied=annotation is client-side, and removes it" : "";
    return AtField(prepared, clashes.front(),
                   StrCat("foretold: it stays beside what the manifest has there, and the server does not take both; a "
                          "server-side apply removes only what its manager applied before",
                          way_out));
  }
  if (!refused.empty()) return RefusalOf(prepared, refused.front());
  return prepared.server_side->refusal_of_first;
}

void DropDuplicatesIfRefused(Prepared& prepared) {
  if (prepared.duplicates.empty()) return;
  const auto refused = RefusedItemOf(prepared);
  if (refused && refused->why == Refused::Why::kTwice) prepared.duplicates.clear();
}

std::optional<Error> ConflictOf(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now) {
  if (!prepared.server_side || prepared.server_side->planning.force_conflicts) return std::nullopt;
  const bool chosen = prepared.mode.server_side;  // then conflicts with others than Apply entries are forced
  std::vector<FieldConflict> conflicts = prepared.server_side->conflicts;
  if (chosen) std::erase_if(conflicts, [](const FieldConflict& conflict) { return !IsAppliedByOthers(conflict); });
  if (conflicts.empty()) return std::nullopt;
  Error error = chosen ? RefusalForOthers(conflicts, prepared) : ConflictOfManagers(conflicts, now);
  error.path = ToString(conflicts.front().path);
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

}  // namespace smp::apply
