#include "apply/chosen_server_side.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "apply/ask_server.h"
#include "apply/guard.h"
#include "apply/plan_server_side.h"
#include "apply/server_side.h"
#include "apply/submit.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "smp/conflicts.h"
#include "smp/json_patch.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::apply {

namespace {

bool NeedsMigration(const Prepared& prepared) {
  return prepared.live && (prepared.mode.migration() || ManagedFields(prepared.live->root()).empty());
}

// Returns the operations that turn live into `wanted`. The server refuses them (409) if live has changed.
Document Operations(const Prepared& prepared, const Value& wanted) {
  Arena arena;
  arena.Retain(*prepared.live);
  if (prepared.migrated) arena.Retain(*prepared.migrated);
  arena.Retain(prepared.patch->outcome);
  const Value changes = CreateJsonPatch(prepared.live->root(), wanted, arena);
  std::vector<Value> operations = {arena.Object({{"op", Value::UnownedString("replace")},
                                                 {"path", Value::UnownedString("/metadata/resourceVersion")},
                                                 {"value", arena.String(VersionOf(prepared.live->root()))}})};
  operations.insert(operations.end(), changes.Items().begin(), changes.Items().end());
  const Value root = arena.Array(operations);
  return Document(std::move(arena), root);
}

// Returns live after the migration.
Result<Document> Migrate(Prepared& prepared, kube::Client& client, const kube::WriteOptions& write) {
  const Result<Document> rehearsed = RehearseOutcome(prepared, client, write);
  if (!rehearsed.ok() && !CannotDryRun(rehearsed.error())) return rehearsed.error();
  Arena arena;
  const Value after =
      prepared.mode.removes_annotation
          ? WithoutAt(prepared.migrated->root(), {"metadata", "annotations"}, {kLastAppliedAnnotation}, arena)
          : prepared.migrated->root();
  ++prepared.tries;
  auto answer = client.Patch(prepared.ref, kube::PatchType::kJson, Operations(prepared, after).root(), write);
  if (answer.ok()) prepared.lost_annotation |= prepared.mode.removes_annotation;
  return answer;
}

}  // namespace

Result<Document> RehearseOutcome(const Prepared& prepared, kube::Client& client, kube::WriteOptions write) {
  write.dry_run = true;
  const Document patch = Operations(prepared, prepared.patch->outcome.root());
  return client.Patch(prepared.ref, kube::PatchType::kJson, patch.root(), write);
}

Status CheckTakeover(const Prepared& prepared, const Planning& planning) {
  if (!prepared.server_side) return Ok();
  if (planning.overwrite == compat::Overwrite::kNo) {
    std::vector<OverwrittenField> fields;
    for (const FieldConflict& conflict : prepared.server_side->conflicts) {
      fields.push_back({conflict.path, conflict.owners});
    }
    return RefuseToOverwrite(fields);
  }
  auto conflict = ConflictOf(prepared, std::nullopt);
  return conflict ? Status(*std::move(conflict)) : Ok();
}

std::string TakeoverWarning(const Prepared& prepared) {
  if (!prepared.server_side || prepared.server_side->conflicts.empty()) return {};
  std::vector<std::string> lines;
  for (const FieldConflict& conflict : prepared.server_side->conflicts) {
    lines.push_back(ExplainConflict(conflict, prepared.live->root(), prepared.server_side->planning.manager));
  }
  return StrCat("the manifest wins over what other managers set: ", NameSome(std::move(lines), kMostNamed));
}

kube::WriteOptions ChosenApplyOptions(const Prepared& prepared, const Planning& planning, kube::WriteOptions write) {
  write.field_manager = planning.server_side_manager;
  write.force = prepared.server_side && !prepared.server_side->conflicts.empty();
  return write;
}

Result<Document> SendServerSide(Prepared& prepared, const Target& target, kube::WriteOptions write, bool guarded) {
  const kube::WriteOptions apply = ChosenApplyOptions(prepared, target.planning, write);
  write.field_manager = apply.field_manager;
  kube::Client& client = *target.client;
  const bool migrates = NeedsMigration(prepared);
  // A dry run does not store the migration, so the apply would not find it.
  if (migrates && write.dry_run) return RehearseOutcome(prepared, client, write);
  std::optional<Document> live = prepared.live;
  if (migrates) {
    SMP_ASSIGN(live, Migrate(prepared, client, write));
  }
  const Guard guard = apply.force || guarded ? GuardOf(live, write.dry_run) : Guard{};
  Arena arena;
  const Value configuration = Guarded(prepared.desired.root(), guard, arena);
  ++prepared.tries;
  return client.Patch(prepared.ref, kube::PatchType::kApply, configuration, apply);
}

}  // namespace smp::apply
