#include "apply/submit.h"

#include <chrono>
#include <thread>

#include "smp/meaning.h"

namespace smp {

namespace {

constexpr int kMaxConflicts = 5;            // as kubectl
constexpr int64_t kConflictPauseMs = 1000;  // before every try but the first

void Sleep(const SubmitOptions& options, int64_t ms) {
  if (options.sleep_ms) return options.sleep_ms(ms);
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

WriteOptions ToWriteOptions(const SubmitOptions& options) {
  WriteOptions out;
  out.dry_run = options.dry_run == DryRun::kServer;
  out.field_manager = options.field_manager;
  out.field_validation = options.field_validation;
  return out;
}

// Nulls mean "absent": a new object simply lacks those fields.
Document NewObject(const Prepared& prepared) {
  Arena arena;
  arena.Retain(prepared.modified);
  const Value root = WithoutNulls(prepared.modified.root(), arena);
  return Document(std::move(arena), root);
}

// The outcome shares its values with live and manifest; whoever prints it may outlive them.
Document OwnedOutcome(const Prepared& prepared) {
  Arena arena;
  for (const Document& part : {prepared.desired, *prepared.live, prepared.patch->outcome}) arena.Retain(part);
  return Document(std::move(arena), prepared.patch->outcome.root());
}

Result<Submitted> Create(const Prepared& prepared, const Target& target, const SubmitOptions& options) {
  Document object = NewObject(prepared);
  if (options.dry_run == DryRun::kClient) return Submitted{Done::kCreated, std::move(object)};
  SMP_ASSIGN(Document answer, target.client->Create(prepared.ref, object.root(), ToWriteOptions(options)));
  return Submitted{Done::kCreated, std::move(answer)};
}

Result<Submitted> Patch(const Prepared& prepared, const Target& target, const SubmitOptions& options) {
  const VerifiedPatch& patch = *prepared.patch;
  // kubectl's patches may change nothing and are sent all the same.
  if (patch.body.root().empty()) return Submitted{Done::kUnchanged, *prepared.live};
  if (options.dry_run == DryRun::kClient) {
    if (prepared.refusal) return *prepared.refusal;
    return Submitted{Done::kConfigured, OwnedOutcome(prepared)};
  }
  const PatchType type = patch.strategic ? PatchType::kStrategic : PatchType::kMerge;
  SMP_ASSIGN(Document answer, target.client->Patch(prepared.ref, type, patch.body.root(), ToWriteOptions(options)));
  return Submitted{Done::kConfigured, std::move(answer)};
}

// Somebody was faster: the object changed, appeared or went between our GET and our write.
bool WasOvertaken(const Prepared& prepared, const Error& error) {
  if (error.reason == "AlreadyExists") return !prepared.live.has_value();
  if (error.code == ErrorCode::kNotFound) return prepared.live.has_value();
  // A resourceVersion that the manifest itself states will not become current by trying again.
  const bool stated = prepared.manifest.root().FindPath({"metadata", "resourceVersion"}) != nullptr;
  return error.code == ErrorCode::kConflict && !stated;
}

}  // namespace

std::string_view DoneWord(Done done) {
  switch (done) {
    case Done::kCreated: return "created";
    case Done::kConfigured: return "configured";
    case Done::kUnchanged: return "unchanged";
  }
  return "unchanged";
}

Result<Submitted> Submit(Prepared& prepared, const Target& target, const SubmitOptions& options) {
  for (int conflicts = 0;; ++conflicts) {
    auto result = prepared.live ? Patch(prepared, target, options) : Create(prepared, target, options);
    if (result.ok() || conflicts == kMaxConflicts || !WasOvertaken(prepared, result.error())) return result;
    if (conflicts > 0) Sleep(options, kConflictPauseMs);
    SMP_TRY(PrepareAgain(prepared, target));
  }
}

}  // namespace smp
