// --force: an object whose change the server calls immutable is deleted and created anew, and at no point lost.
//
// Before anything is deleted the server has said (in a dry run) that it would take the new object; kinds with which
// more is lost than the object are refused; the old object is saved in a file that only the user can read; and the
// deletion is of exactly the object that was planned against (uid and resourceVersion are preconditions). When the new
// one is refused all the same the old one is put back. When that fails, or the user interrupts while the old one is on
// its way out, the error says what is gone and names the file. In all other cases the file is removed; it also stays
// when the program is killed.
//
// Differs from kubectl: it deletes for any refusal, an invalid manifest for one, and stops waiting at once, so that
// objects with finalizers or a grace period are deleted and not created again (kubernetes issue 58984; kubectl's
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

inline constexpr int64_t kForceTimeoutMs = 60'000;  // without --timeout; longer where the grace period is

// Error::reason when the user has interrupted while the old object was on its way out.
inline constexpr std::string_view kInterruptedReason = "Interrupted";

// Kinds that take more with them: a Namespace its objects, a PersistentVolume its data.
enum class Dangerous { kRefuse, kAllow };

struct RecreateOptions {
  Deletion deletion = {};
  Dangerous dangerous = Dangerous::kRefuse;
  kube::WriteOptions write = {};   // of the new object
  Clock* clock = &ProcessClock();  // not owned
  std::string folder = {};         // for the file with the old object; "": see SaveObject
  // What is being waited for, and what was done; may be empty, is called from any thread.
  std::function<void(const kube::ObjectRef&, const std::string&)> notice = {};
};

struct Replacement {
  kube::ObjectRef ref;
  Document live;    // as it was planned against
  Document object;  // to take its place: with the last-applied annotation, without nulls
};

// The object as the server created it. `refusal` is what the server said to the change; IsImmutableChange(refusal) is
// required. Errors: refused (kinds, see Dangerous); conflict, when live has changed meanwhile or somebody else created
// an object of that name: plan again; the server's, when it would not take the new object (nothing was deleted) or did
// not (the message says what became of the old one).
Result<Document> Recreate(kube::Client& client, const Replacement& replacement, const Error& refusal,
                          const RecreateOptions& options);

}  // namespace smp::apply
