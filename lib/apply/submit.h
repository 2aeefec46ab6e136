// Submit: a prepared object to the server. The only place that writes.
#ifndef SMP_APPLY_SUBMIT_H_
#define SMP_APPLY_SUBMIT_H_

#include <optional>
#include <string>

#include "apply/prepare.h"
#include "apply/recreate.h"
#include "base/clock.h"
#include "base/result.h"
#include "value/document.h"

namespace smp {

enum class DryRun { kNone, kClient, kServer };

struct SubmitOptions {
  DryRun dry_run = DryRun::kNone;
  std::string field_manager =
      "kubectl-client-side-apply";  // kubectl's own, so that mixing both tools gives no second manager
  std::string field_validation = "Strict";
  Clock* clock = nullptr;  // not owned
  // What the server calls immutable is created anew. `clock` and `write` are taken from here.
  std::optional<RecreateOptions> force = {};
};

enum class Done { kCreated, kConfigured, kUnchanged, kServerSide };
std::string_view DoneWord(Done done);  // "created"

struct Submitted {
  Done done = Done::kUnchanged;
  Document object;  // as the server answered; for a client dry run as it would be. Owns all it points to
  // Why a server dry run could not ask the server: what the object needs is created by the same input. "": it did.
  std::string unasked = {};
};

// Creates, patches or leaves alone. A 409, or a connection that breaks before the answer, reads the object again and
// plans again, up to five times, and more often while others only write its status; a changed plan is never sent
// without having been decided again; that holds for an object that --force creates anew, too. `prepared.tries` counts
// what was sent. REQUIRES: options.clock.
Result<Submitted> Submit(Prepared& prepared, const Target& target, const SubmitOptions& options);

}  // namespace smp

#endif  // SMP_APPLY_SUBMIT_H_
