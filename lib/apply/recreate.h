// --force: deletes and recreates an object when the server calls a changed field immutable, without losing it.
//
// Before anything is deleted, the server must accept the new object in a dry run; kinds whose deletion deletes more
// than the object are refused; and the old object is saved to a file that only the user can read. uid and
// resourceVersion are preconditions of the deletion, so that only the planned object is deleted. If the server then
// rejects the new object, the old one is restored. If that fails, or the old object is not gone after the timeout or an
// interruption, the error describes the state and names the file. Otherwise the file is removed, unless the program is
// killed: then a notice has named the file before the deletion, and the next apply finds it (old_object.h).
//
// Differs from kubectl: it deletes for any refusal, even of an invalid manifest, and does not wait long enough, so that
// objects with finalizers or a grace period are deleted and not recreated (kubernetes issue 58984; kubectl's
// patcher.go).
#pragma once

#include <functional>
#include <string>

#include "apply/deletion.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

inline constexpr int64_t kForceTimeoutMs = 60'000;  // default of --timeout; extended if the grace period is longer

// Error::reason if the user interrupted before the old object was gone (the message says whether it was deleted).
inline constexpr std::string_view kInterruptedReason = "Interrupted";

// Error::reason if somebody else created an object of that name after the deletion: nobody has reviewed that one, so that it must not be
// deleted, too.
inline constexpr std::string_view kCreatedByOthersReason = "CreatedByOthers";

// How to treat kinds whose deletion deletes more: a Namespace its objects, a PersistentVolume its data.
enum class Dangerous { kRefuse, kAllow };

struct RecreateOptions {
  Deletion deletion = {};
  Dangerous dangerous = Dangerous::kRefuse;
  kube::WriteOptions write = {};   // for creating the new object
  Clock* clock = &ProcessClock();  // not owned
  std::string server = {};         // what tells it from others, for the name of the file with the old object
  std::string folder = {};         // for that file; "": see SaveObject
  // Called with what is being waited for and what was done; may be empty; called from any thread.
  std::function<void(const kube::ObjectRef&, const std::string&)> notice = {};
};

struct Replacement {
  kube::ObjectRef ref;
  Document live;    // the live object that the plan is based on
  Document object;  // the new object: with the last-applied annotation, without nulls
};

// Returns the options with which the live object is deleted: only if it is still the one that was read.
kube::DeleteOptions DeletionOf(const Value& live, const Deletion& how);

// Returns an error refused, with `refusal`, for a kind that `dangerous` forbids to delete.
Status CheckMayRecreate(const kube::ObjectRef& ref, Dangerous dangerous, const Error& refusal);

// Returns what is lost with an object of the kind beside the object itself: "all objects of that kind"; "" for kinds that hold nothing
// of their own, such as Deployments.
std::string_view HeldBy(const GroupVersionKind& gvk);

// Returns what is lost with the object: "--force would delete the Deployment and with it its Pods"; "" if that is no
// news. `live`: the object; `deletion`: orphans are not lost.
std::string LossByRecreation(const kube::ObjectRef& ref, const Value& live, const Deletion& deletion);

// Returns the object as the server created it; in a dry run (RecreateOptions::write) as it would be created, and nothing
// is deleted. `refusal`: the server's error for the change. REQUIRES:
// IsImmutableChange(refusal). Errors: refused, for a kind that Dangerous forbids; conflict, if live has changed or
// somebody else created an object of that name (kCreatedByOthersReason): the caller must plan again; server, if the new
// object is rejected in the dry run (nothing was deleted) or later (the message tells where the old object is).
Result<Document> Recreate(kube::Client& client, const Replacement& replacement, const Error& refusal,
                          const RecreateOptions& options);

}  // namespace smp::apply
