#include "apply/plan_server_side.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "apply/server_side.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

ServerSideInput InputFor(const Prepared& prepared, const Value& live, std::vector<Value> entries,
                         const std::string& manager) {
  return {.manifest = &prepared.desired.root(),
          .lacks_data = prepared.manifest.root().Find("stringData") != nullptr &&
                        prepared.manifest.root().Find("data") == nullptr && IsSecret(prepared.manifest.root()),
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
  prepared.server_side = {std::move(planning), std::move(plan.conflicts), std::move(plan.clashes), migrates};
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

}  // namespace

std::string WhyServerSide(const ApplyMode& mode) {
  if (!mode.server_side) return {};
  if (!mode.too_large) return "it was applied server-side before, and has no last-applied annotation";
  return StrCat("with last-applied, the annotations would have ", mode.annotation_bytes,
                " bytes, and the server takes ", kMaxAnnotationBytes);
}

bool IsAppliedByOthers(const FieldConflict& conflict) {
  return std::ranges::any_of(conflict.owners, [](const FieldManager& owner) { return owner.operation == "Apply"; });
}

Status PlanServerSideApply(Prepared& prepared, const ServerSidePlanning& planning) {
  const Value& live = prepared.live->root();
  Arena arena;
  ServerSideInput input =
      InputFor(prepared, live, EntriesAfterMigration(live, planning.manager, arena), planning.manager);
  if (prepared.original) input.last_applied = &prepared.original->root();
  SMP_ASSIGN(ServerSidePlan plan, PlanServerSide(input));
  Take(std::move(plan), planning, input.entries != ManagedFields(live), prepared);
  return Ok();
}

// There is no last-applied object: when the apply comes, live has lost the annotation.
Status PlanChosenServerSide(Prepared& prepared, const Planning& planning) {
  prepared.migrated = Migrated(prepared, planning.server_side_manager);
  const Value& live = prepared.migrated->root();
  SMP_ASSIGN(ServerSidePlan plan,
             PlanServerSide(InputFor(prepared, live, ManagedFields(live), planning.server_side_manager)));
  const bool forced = planning.force_conflicts || std::ranges::none_of(plan.conflicts, IsAppliedByOthers);
  plan.patch.why = WhyServerSide(prepared.mode);
  Take(std::move(plan), {planning.server_side_manager, forced}, prepared.mode.migration(), prepared);
  return Ok();
}

std::optional<Error> ClashOf(const Prepared& prepared) {
  if (!prepared.server_side || prepared.server_side->clashes.empty()) return std::nullopt;
  Error error = Error::Refused(
      "foretold: it stays beside what the manifest has there, and the server does not take both; a server-side apply "
      "removes only what its manager applied before");
  error.path = ToString(prepared.server_side->clashes.front());
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

std::optional<Error> ConflictOf(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now) {
  constexpr size_t kMostNamed = 5;
  if (!prepared.server_side || prepared.server_side->planning.force_conflicts) return std::nullopt;
  const bool chosen = prepared.mode.server_side;  // then conflicts with others than Apply entries are forced
  std::vector<FieldConflict> conflicts = prepared.server_side->conflicts;
  if (chosen) std::erase_if(conflicts, [](const FieldConflict& conflict) { return !IsAppliedByOthers(conflict); });
  if (conflicts.empty()) return std::nullopt;
  std::vector<std::string> fields;
  for (const FieldConflict& conflict : conflicts) {
    fields.push_back(StrCat(ToString(conflict.path), " is owned by ", Describe(conflict.owners, now)));
  }
  const std::string count = StrCat(conflicts.size(), conflicts.size() == 1 ? " conflict" : " conflicts");
  Error error =
      Error{chosen ? ErrorCode::kRefused : ErrorCode::kConflict,
            StrCat("the server would refuse the apply: ", count, ": ", NameSome(std::move(fields), kMostNamed),
                   "; use --force-conflicts to take such fields, or remove them from the manifest")};
  error.path = ToString(conflicts.front().path);
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

}  // namespace smp::apply
