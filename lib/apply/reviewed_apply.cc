#include "apply/reviewed_apply.h"

#include <optional>
#include <utility>

#include "apply/ask_server.h"
#include "apply/guard.h"
#include "apply/last_applied.h"
#include "apply/server_side.h"
#include "smp/json_patch.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::apply {

namespace {

// The server has written the guard into last-applied.
Document WithoutGuard(Document answer, const Guard& guard) {
  const std::optional<std::string> text = RecordWithout(guard, answer.root());
  if (!text) return answer;
  Arena arena;
  arena.Retain(answer);
  const Value root =
      WithAt(answer.root(), {"metadata", "annotations", kLastAppliedAnnotation}, arena.String(*text), arena);
  return Document(std::move(arena), root);
}

Value WithoutRecord(const Value& object, Arena& arena) {
  return WithoutAt(WithoutBookkeeping(object, arena), {"metadata", "annotations"}, {kLastAppliedAnnotation}, arena);
}

}  // namespace

Value EffectOf(const Document& live, const Document& answer, Arena& arena) {
  return CreateJsonPatch(WithoutRecord(live.root(), arena), WithoutRecord(answer.root(), arena), arena);
}

bool HasEffect(const Document& live, const Document& answer) {
  Arena arena;
  return !EffectOf(live, answer, arena).empty();
}

bool ShowsNoChange(const Prepared& prepared) { return prepared.live && prepared.patch && prepared.patch->empty(); }

// A guard would change last-applied, because it gets into the annotation for a moment.
bool IsRecordedAlready(const Prepared& prepared) {
  const std::string& manager = prepared.server_side->planning.manager;
  if (!IsAppliedAlready(prepared, manager)) return false;
  if (prepared.mode.server_side) return true;
  Arena arena;
  const Value& live = prepared.live->root();
  if (EntriesAfterMigration(live, manager, arena) != ManagedFields(live)) return false;
  const Result<std::optional<Document>> record = ReadLastApplied(live);
  return record.ok() && (!*record || (*record)->root() == prepared.manifest.root());
}

Result<Document> RehearseServerSide(const Prepared& prepared, const Target& target,
                                    const std::string& field_validation) {
  const ServerSidePlanning& how = *target.planning.server_side;
  const kube::WriteOptions write = ApplyRequestOptions({.force_conflicts = how.force_conflicts,
                                                        .dry_run = true,
                                                        .field_manager = how.manager,
                                                        .field_validation = field_validation});
  Arena arena;
  const Value& manifest = prepared.manifest.root();
  const Guard guard = GuardOf(prepared.live, write.dry_run);
  SMP_ASSIGN(Document answer,
             target.client->Patch(prepared.ref, kube::PatchType::kApply, Guarded(manifest, guard, arena), write));
  return WithoutGuard(std::move(answer), NotStated(manifest, guard));
}

Result<bool> MaySend(Prepared& prepared, const SubmitOptions& options,
                     const std::function<Result<Document>()>& rehearse) {
  if (!options.foresees_apply || !ShowsNoChange(prepared)) return true;
  if (!options.foresees_apply(prepared) || !prepared.resource.dry_run) return false;
  Result<Document> answer = rehearse();
  if (!answer.ok()) {
    if (CannotDryRun(answer.error())) return false;
    // Of managers or of the guard: the apply gets the same one, and explains it, or reads the object again.
    return answer.error().code == ErrorCode::kConflict ? Result<bool>(true) : std::move(answer).error();
  }
  if (!HasEffect(*prepared.live, *answer)) return true;
  prepared.answer = *std::move(answer);
  const Status approved = options.approve_effect(prepared);
  prepared.answer.reset();
  return approved.ok() ? Result<bool>(true) : approved.error();
}

}  // namespace smp::apply
