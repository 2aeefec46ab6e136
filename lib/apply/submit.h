// Submit: sends a prepared object to the server. All writes of client-side apply go through it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "apply/recreate.h"
#include "base/clock.h"
#include "base/result.h"
#include "smp/managed_fields.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::apply {

enum class DryRun { kNone, kClient, kServer };

struct SubmitOptions {
  DryRun dry_run = DryRun::kNone;
  // A patch gets live's resourceVersion, so that it has an effect only on the object that was read.
  bool guarded = false;
  std::string field_manager{kClientSideManager};  // kubectl's, so that using both tools does not add a second manager
  std::string field_validation = "Strict";
  Clock* clock = &ProcessClock();  // not owned
  // If set, recreates the object if the server calls a changed field immutable. Its `clock` and `write` are ignored;
  // these options are used instead.
  std::optional<RecreateOptions> force = {};
  // Called before each write with what is about to be sent; its error is that of the object, and nothing is sent. May be
  // empty; called from any thread. Implies `guarded`.
  std::function<Status(const Prepared&)> approve = {};
  std::function<Status(const Prepared&)> approve_recreation = {};  // likewise, before --force deletes the object
  // Of an object in which reading shows no change (reviewed_apply.h); set if `approve` is. Whether a server-side apply of it was
  // reviewed at all; and, if its dry run has another answer than live, whether that was: the answer is in Prepared.
  std::function<bool(const Prepared&)> foresees_apply = {};
  std::function<Status(const Prepared&)> approve_effect = {};

  Status Approved(const Prepared& prepared) const { return approve ? approve(prepared) : Ok(); }
  bool guards() const { return guarded || approve; }
};

// Why a dry run tells nothing of an object: what it needs from the input is not on the server yet.
inline constexpr std::string_view kNamespaceNotThere =
    "its namespace is in the same input, and a dry run does not create it";
inline constexpr std::string_view kDefinitionNotThere =
    "its CRD is in the same input, and a dry run does not change it";

// Returns true if the server refuses a new object because it lacks the namespace, and the input has it.
bool LacksNamespaceOfInput(const kube::ObjectRef& ref, const Error& refusal, const Target& target);

kube::WriteOptions ToWriteOptions(const SubmitOptions& options);
kube::PatchType ToPatchType(PatchFormat format);

// Returns what a creation sends: the manifest without null fields, which mean "absent", except where a custom resource
// stores nulls. An object that --force recreates has what --keep-live names as live has it.
Document NewObject(const Prepared& prepared);

enum class Done { kCreated, kConfigured, kRecreated, kUnchanged, kServerSide };
std::string_view DoneWord(Done done);  // "created"

struct Submitted {
  Done done = Done::kUnchanged;
  Document object;  // from the server; in a client dry run, computed. Owns all it points to
  // Configured, but only the last-applied annotation changed. Never set in kubectl's dialect.
  bool last_applied_only = false;
  // The server stored another last-applied annotation than it was sent, or none, because its admission changed it. Never
  // set in kubectl's dialect.
  bool last_applied_lost = false;
  // Unchanged although a patch was sent: the server answered with the object that it had. Where the patch would have
  // changed it. Never set in kubectl's dialect.
  std::vector<FieldPath> not_kept = {};
  bool too_large = false;  // applied server-side because it is too large for last-applied
  // Why a server dry run did not ask the server: the object needs another one of the same input. "": it did ask.
  std::string unasked = {};
  // If that is for its CRD, which the input may change: the refusal that was set aside.
  std::optional<Error> set_aside = {};
};

// Returns metadata.resourceVersion; "" if there is none.
std::string_view VersionOf(const Value& object);

// Returns true if the Apply entry of `manager` owns just what the manifest states, with its values, so that a server-side
// apply would change neither object nor entry. REQUIRES: planned.
bool IsAppliedAlready(const Prepared& prepared, std::string_view manager);

// Returns the object without what also changes when nothing else does: managedFields, generation and resourceVersion.
Value WithoutBookkeeping(const Value& object, Arena& arena);

// Returns true if a write changed the object, managedFields and generation aside. An answer with the resourceVersion that
// was read changed nothing; that of a dry run always has it.
bool HasChanged(const Document& live, const Document& answer, DryRun dry_run);

// Creates or patches the object, or does nothing if there is no change. After a 409, or a connection lost before the
// response, reads the object and plans again, up to five times, and more often if others only wrote its status. Only a
// plan for the newest object read is sent, also if --force recreates it. `prepared.tries` counts the writes sent. Errors
// also of CheckTakeover.
Result<Submitted> Submit(Prepared& prepared, const Target& target, const SubmitOptions& options);

}  // namespace smp::apply
