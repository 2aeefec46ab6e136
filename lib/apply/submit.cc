#include "apply/submit.h"

#include <utility>

#include "apply/admission_inputs.h"
#include "apply/apply_mode.h"
#include "apply/chosen_server_side.h"
#include "apply/deletion.h"
#include "apply/foretold_refusals.h"
#include "apply/last_applied.h"
#include "apply/reviewed_apply.h"
#include "base/strings.h"
#include "kube/status_error.h"
#include "net/transport.h"
#include "schema/facts/immutable.h"
#include "smp/last_applied_change.h"
#include "smp/meaning.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int kMaxConflicts = 5;            // as in kubectl
constexpr int64_t kConflictPauseMs = 1000;  // before every retry except the first
constexpr int kMaxStatusMoves = 20;         // uncounted retries while a controller only writes the status

// Returns the planned outcome with all the memory that it shares (with live, manifest and last-applied), because it may
// be printed after `prepared` is destroyed.
Document OwnedOutcome(const Prepared& prepared) {
  Arena arena;
  for (const Document& part : {prepared.desired, *prepared.live, prepared.patch->outcome}) arena.Retain(part);
  if (prepared.migrated) arena.Retain(*prepared.migrated);
  if (prepared.original) arena.Retain(*prepared.original);
  return Document(std::move(arena), prepared.patch->outcome.root());
}

// Returns true if the server did not keep the last-applied annotation of `sent`. `before`: that of live.
bool LosesLastApplied(const Value& sent, std::string_view before, const Value& answer, const Target& target) {
  if (target.planning.dialect == compat::Dialect::kKubectl) return false;
  const std::string_view text = LastAppliedTextOf(sent);
  return text != before && text != LastAppliedTextOf(answer);
}

Result<Submitted> Create(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  Document object = NewObject(prepared);
  if (options.dry_run == DryRun::kClient) return Submitted{Done::kCreated, std::move(object)};
  ++prepared.tries;
  SMP_ASSIGN(Document answer, target.client->Create(prepared.ref, object.root(), ToWriteOptions(options)));
  const bool lost = LosesLastApplied(object.root(), "", answer.root(), target);
  return Submitted{.done = Done::kCreated, .object = std::move(answer), .last_applied_lost = lost};
}

// Tells what a recreation would destroy. REQUIRES: options.force.
void NoticeLoss(const Prepared& prepared, const SubmitOptions& options) {
  const RecreateOptions& how = *options.force;
  const std::string loss = LossByRecreation(prepared.ref, prepared.live->root(), how.deletion);
  if (how.notice && !loss.empty()) how.notice(prepared.ref, loss);
}

// Differs from kubectl: it says "configured", as if the object had been patched.
Submitted Recreated(Document object, const Target& target) {
  const bool as_kubectl = target.planning.dialect == compat::Dialect::kKubectl;
  return {as_kubectl ? Done::kConfigured : Done::kRecreated, std::move(object)};
}

// Gives the fields of a recreated object to our Apply entry: it was created client-side, because a server-side apply would
// merge the manifest into an object that somebody else may have created meanwhile.
Result<Document> Own(Document created, Prepared& prepared, const Target& target, const SubmitOptions& options) {
  if (!prepared.mode.too_large || options.dry_run != DryRun::kNone) return created;
  SMP_TRY(PrepareAgain(prepared, target));
  return SendServerSide(prepared, target, ToWriteOptions(options));
}

Status MayRecreate(const Prepared& prepared, const Error& refusal, const SubmitOptions& options) {
  Status may = options.approve_recreation ? options.approve_recreation(prepared) : Ok();
  if (may.ok()) return may;
  Error error = std::move(may).error();
  error.message += StrCat(": ", refusal.message);
  return error;
}

// Recreates the object if `refusal` means that a field is immutable, else returns `refusal`. REQUIRES: options.force.
Result<Submitted> Force(Prepared& prepared, Error refusal, const Target& target, const SubmitOptions& options) {
  if (!IsImmutableChange(refusal, prepared.schema->release())) return refusal;
  if (!prepared.created_by_others.empty()) {
    return Error{ErrorCode::kServer, StrCat(refusal.message, "\n", prepared.created_by_others)};
  }
  SMP_TRY(MayRecreate(prepared, refusal, options));
  RecreateOptions how = *options.force;
  how.clock = options.clock;
  how.write = ToWriteOptions(options);
  const Replacement replacement = {prepared.ref, *prepared.live, NewObject(prepared)};
  SMP_ASSIGN(Document created, Recreate(*target.client, replacement, refusal, how));
  SMP_ASSIGN(Document object, Own(std::move(created), prepared, target, options));
  if (how.write.dry_run) NoticeLoss(prepared, options);
  return Recreated(std::move(object), target);
}

// Returns what --force would do, as far as reading shows; nullopt if it would do nothing.
std::optional<Result<Submitted>> ForetoldForce(const Prepared& prepared, const Target& target,
                                               const SubmitOptions& options) {
  if (!options.force) return std::nullopt;
  const auto refusal = ForetellRefusal(prepared);
  if (!refusal || !refusal->recreatable) return std::nullopt;
  const Status may = CheckMayRecreate(prepared.ref, options.force->dangerous, refusal->error);
  if (!may.ok()) return may.error();
  NoticeLoss(prepared, options);
  return Recreated(NewObject(prepared), target);
}

// Differs from kubectl: it says "configured", as if the object had changed.
bool WritesOnlyLastApplied(const Prepared& prepared, const Target& target) {
  return target.planning.dialect != compat::Dialect::kKubectl && ChangesOnlyLastApplied(prepared.patch->plan);
}

// Differs from kubectl: it says "configured" at every apply where the server does not keep what the patch has, such as
// fields that a custom resource's schema lacks, or an annotation that admission takes away.
Submitted Patched(const Prepared& prepared, Document answer, const Target& target, DryRun dry_run) {
  const std::string_view before = LastAppliedTextOf(prepared.live->root());
  const bool lost = LosesLastApplied(prepared.patch->outcome.root(), before, answer.root(), target);
  const bool as_kubectl = target.planning.dialect == compat::Dialect::kKubectl;
  if (as_kubectl || HasChanged(*prepared.live, answer, dry_run)) {
    return {.done = Done::kConfigured,
            .object = std::move(answer),
            .last_applied_only = WritesOnlyLastApplied(prepared, target),
            .last_applied_lost = lost};
  }
  return {.done = Done::kUnchanged,
          .object = std::move(answer),
          .last_applied_lost = lost,
          .not_kept = OtherChanges(prepared.patch->plan)};
}

Value WithEntries(const Value& body, PatchFormat format, const Value& entries, Arena& arena) {
  if (format != PatchFormat::kJson) return WithAt(body, {"metadata", "managedFields"}, entries, arena);
  std::vector<Value> operations(body.Items().begin(), body.Items().end());
  operations.push_back(arena.Object({{"op", Value::UnownedString("replace")},
                                     {"path", Value::UnownedString("/metadata/managedFields")},
                                     {"value", entries}}));
  return arena.Array(operations);
}

bool IsGuarded(const Prepared& prepared, const SubmitOptions& options) { return options.guards() || prepared.aged; }

// Returns the body of the patch that is sent. One that takes the object back from server-side apply also moves our Apply
// entry, and is guarded, because managedFields are replaced as a whole.
Result<Document> BodyToSend(const Prepared& prepared, const Target& target, const SubmitOptions& options) {
  const VerifiedPatch& patch = *prepared.patch;
  if (!prepared.mode.goes_back) return IsGuarded(prepared, options) ? GuardedBody(patch, *prepared.live) : patch.body;
  SMP_ASSIGN(const Document guarded, GuardedBody(patch, *prepared.live));
  Arena arena;
  arena.Retain(guarded);
  arena.Retain(*prepared.live);
  const std::vector<Value> entries =
      EntriesAfterReturn(prepared.live->root(), target.planning.server_side_manager, options.field_manager, arena);
  const Value root = WithEntries(guarded.root(), patch.format, arena.Array(entries), arena);
  return Document(std::move(arena), root);
}

Result<Submitted> Patch(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  const VerifiedPatch& patch = *prepared.patch;
  // Compare the body, not the plan: in kubectl's dialect, a patch without effect is sent, too.
  if (patch.body.root().empty()) return Submitted{Done::kUnchanged, *prepared.live};
  if (options.dry_run == DryRun::kClient) {
    if (prepared.refusal) return *prepared.refusal;
    if (auto forced = ForetoldForce(prepared, target, options)) return *std::move(forced);
    return Submitted{Done::kConfigured, OwnedOutcome(prepared), WritesOnlyLastApplied(prepared, target)};
  }
  ++prepared.tries;
  const kube::PatchType type = ToPatchType(patch.format);
  SMP_ASSIGN(const Document body, BodyToSend(prepared, target, options));
  Result<Document> answer = target.client->Patch(prepared.ref, type, body.root(), ToWriteOptions(options));
  if (!answer.ok() && options.force) return Force(prepared, std::move(answer).error(), target, options);
  if (!answer.ok()) return std::move(answer).error();
  return Patched(prepared, *std::move(answer), target, options.dry_run);
}

Submitted AppliedServerSide(const Prepared& prepared, Document object, bool changed) {
  if (!changed) return {Done::kUnchanged, std::move(object)};
  return {.done = Done::kServerSide, .object = std::move(object), .too_large = prepared.mode.too_large};
}

Result<Submitted> SendPlanned(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  // The server merges an unchanged CRD of a megabyte for a second.
  if (IsAppliedAlready(prepared, target.planning.server_side_manager))
    return Submitted{Done::kUnchanged, *prepared.live};
  if (options.dry_run == DryRun::kClient) {
    if (!prepared.live) return AppliedServerSide(prepared, NewObject(prepared), true);
    if (auto forced = ForetoldForce(prepared, target, options)) return *std::move(forced);
    return AppliedServerSide(prepared, OwnedOutcome(prepared), !prepared.patch->empty());
  }
  SMP_ASSIGN(const bool may_send, MaySend(prepared, options, [&] {
               kube::WriteOptions dry_run = ToWriteOptions(options);
               dry_run.dry_run = true;
               return SendServerSide(prepared, target, dry_run, true);
             }));
  if (!may_send) return Submitted{Done::kUnchanged, *prepared.live};
  Result<Document> answer = SendServerSide(prepared, target, ToWriteOptions(options), IsGuarded(prepared, options));
  if (!answer.ok() && options.force && prepared.live) {
    return Force(prepared, std::move(answer).error(), target, options);
  }
  if (!answer.ok()) return std::move(answer).error();
  const bool changed =
      !prepared.live || prepared.lost_annotation || HasChanged(*prepared.live, *answer, options.dry_run);
  return AppliedServerSide(prepared, *std::move(answer), changed);
}

// Returns true if the object was changed, created or deleted between our GET and our write, or if the answer was lost,
// so that it is unknown whether the write was executed.
bool MustReadAgain(const Prepared& prepared, const Error& error) {
  if (net::IsAnswerLost(error)) return true;
  if (error.reason == "AlreadyExists") return !prepared.live.has_value();
  if (error.code == ErrorCode::kNotFound) return prepared.live.has_value();
  // If the manifest itself contains a resourceVersion, retrying cannot resolve the conflict.
  const bool stated = prepared.manifest.root().FindPath({"metadata", "resourceVersion"}) != nullptr;
  return error.code == ErrorCode::kConflict && !stated;
}

// Returns the object without what changes when others write only its status.
Value WithoutStatus(const Value& object, Arena& arena) {
  return WithoutAt(WithoutAt(object, {}, {"status"}, arena), {"metadata"}, {"managedFields", "resourceVersion"}, arena);
}

bool OnlyStatusMoved(const std::optional<Document>& before, const std::optional<Document>& after) {
  if (!before || !after || VersionOf(before->root()) == VersionOf(after->root())) return false;
  Arena arena;
  return WithoutStatus(before->root(), arena) == WithoutStatus(after->root(), arena);
}

// If a write was executed but its response was lost, the next try finds nothing to do: return what that write did.
Done DoneOf(const Submitted& submitted, std::optional<Done> lost) {
  return submitted.done == Done::kUnchanged && lost ? *lost : submitted.done;
}

// Returns what the write did whose response was lost, if it was executed.
Done LostWrite(const Prepared& prepared) {
  if (prepared.mode.server_side) return Done::kServerSide;
  return prepared.live ? Done::kConfigured : Done::kCreated;
}

Result<Submitted> SendOnce(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  if (prepared.mode.server_side) return SendPlanned(prepared, target, options);
  return prepared.live ? Patch(prepared, target, options) : Create(prepared, target, options);
}

// The server deletes an object that is being deleted with its last finalizer, and answers with the version that it had.
bool LosesLastFinalizer(const Value& live, const Value& answer) {
  const auto has_any = [](const Value& object) { return !ItemsAt(object, {"metadata", "finalizers"}).empty(); };
  return IsBeingDeleted(live) && has_any(live) && !has_any(answer);
}

// Returns true if the server refuses the object for what the object says, by a CRD that the input changes.
bool RefusesByOldDefinition(const Prepared& prepared, const Error& error) {
  constexpr int kBadRequest = 400;
  return prepared.defined_by_input && !IsDenied(error) &&
         (error.http_status == kBadRequest || error.http_status == kube::kInvalidStatus);
}

// The result of a dry run that cannot ask the server, because another object was not really created (`why`).
Submitted Unasked(const Prepared& prepared, std::string why) {
  const bool server_side = prepared.mode.server_side;
  if (prepared.live) {
    const bool changes = !prepared.patch->empty();
    return {.done = changes ? Done::kConfigured : Done::kUnchanged,
            .object = OwnedOutcome(prepared),
            .unasked = std::move(why)};
  }
  return {.done = server_side ? Done::kServerSide : Done::kCreated,
          .object = NewObject(prepared),
          .too_large = server_side,
          .unasked = std::move(why)};
}

}  // namespace

bool LacksNamespaceOfInput(const kube::ObjectRef& ref, const Error& refusal, const Target& target) {
  return refusal.code == ErrorCode::kNotFound && target.definitions != nullptr &&
         target.definitions->namespaces.contains(ref.name_space);
}

bool IsAppliedAlready(const Prepared& prepared, std::string_view manager) {
  if (!prepared.live || prepared.patch->plan.changed() || prepared.mode.migration()) return false;
  const Value& desired = prepared.desired.root();
  const std::optional<Value> ours = ApplyEntryOf(prepared.live->root(), manager);
  return ours && ours->StringOr("apiVersion") == desired.StringOr("apiVersion") &&
         OwnedBy(*ours, *prepared.live).root() == desired;
}

Value WithoutBookkeeping(const Value& object, Arena& arena) {
  return WithoutAt(object, {"metadata"}, {"generation", "managedFields", "resourceVersion"}, arena);
}

bool HasChanged(const Document& live, const Document& answer, DryRun dry_run) {
  if (LosesLastFinalizer(live.root(), answer.root())) return true;
  const std::string_view version = VersionOf(answer.root());
  if (dry_run == DryRun::kNone && !version.empty() && version == VersionOf(live.root())) return false;
  Arena arena;
  return WithoutBookkeeping(live.root(), arena) != WithoutBookkeeping(answer.root(), arena);
}

std::string_view VersionOf(const Value& object) { return TextAt(object, {"metadata", "resourceVersion"}); }

kube::WriteOptions ToWriteOptions(const SubmitOptions& options) {
  return {.dry_run = options.dry_run == DryRun::kServer,
          .field_manager = options.field_manager,
          .field_validation = options.field_validation};
}

kube::PatchType ToPatchType(PatchFormat format) {
  switch (format) {
    case PatchFormat::kStrategic: return kube::PatchType::kStrategic;
    case PatchFormat::kMerge: return kube::PatchType::kMerge;
    case PatchFormat::kJson: return kube::PatchType::kJson;
    case PatchFormat::kApply: return kube::PatchType::kApply;
  }
  return kube::PatchType::kStrategic;
}

Document NewObject(const Prepared& prepared) {
  const bool records = prepared.mode.server_side && !prepared.mode.too_large;
  const Document planned = prepared.anew ? *prepared.anew : prepared.modified;
  return WithoutNullFields(records ? WithLastApplied(planned, LastAppliedText(prepared.manifest.root())) : planned,
                           prepared);
}

std::string_view DoneWord(Done done) {
  switch (done) {
    case Done::kCreated: return "created";
    case Done::kConfigured: return "configured";
    case Done::kRecreated: return "recreated";
    case Done::kUnchanged: return "unchanged";
    case Done::kServerSide: return "serverside-applied";
  }
  return "unchanged";
}

Result<Submitted> Submit(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  if (prepared.unserved) {
    return Unasked(prepared, prepared.live ? "its version is only in the CRD of the same input"
                                           : "its CRD is in the same input, and a dry run does not create it");
  }
  std::optional<Done> lost;  // what the last write did, if its response was lost
  for (int tries = 0, status_moves = 0;;) {
    SMP_TRY(CheckTakeover(prepared, target.planning));
    SMP_TRY(options.Approved(prepared));
    Result<Submitted> result = SendOnce(prepared, target, options);
    if (result.ok()) {
      result->done = DoneOf(*result, lost);
      return result;
    }
    const Error& error = result.error();
    if (!prepared.live && options.dry_run == DryRun::kServer && LacksNamespaceOfInput(prepared.ref, error, target)) {
      return Unasked(prepared, std::string(kNamespaceNotThere));
    }
    if (options.dry_run == DryRun::kServer && RefusesByOldDefinition(prepared, error)) {
      Submitted unasked = Unasked(prepared, StrCat(kDefinitionNotThere, ": ", error.message));
      unasked.set_aside = error;
      return unasked;
    }
    if (tries == kMaxConflicts || !MustReadAgain(prepared, error)) return result;
    if (net::IsAnswerLost(error)) lost = LostWrite(prepared);
    if (error.reason == kCreatedByOthersReason) prepared.created_by_others = error.message;
    if (tries > 0 && !options.clock->SleepMs(kConflictPauseMs)) return result;
    const std::optional<Document> before = prepared.live;
    const Status read = PrepareAgain(prepared, target);
    // Without a look at the object, the error of the write says more: the server may have processed it.
    if (!read.ok()) return net::IsAnswerLost(error) ? result : Result<Submitted>(read.error());
    const bool counts = !OnlyStatusMoved(before, prepared.live) || ++status_moves > kMaxStatusMoves;
    tries += counts ? 1 : 0;
  }
}

}  // namespace smp::apply
