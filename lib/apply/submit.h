// Submit: sends a prepared object to the server. The only place of client-side apply that writes.
#pragma once

#include <optional>
#include <string>

#include "apply/prepare.h"
#include "apply/recreate.h"
#include "base/clock.h"
#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

enum class DryRun { kNone, kClient, kServer };

struct SubmitOptions {
  DryRun dry_run = DryRun::kNone;
  std::string field_manager =
      "kubectl-client-side-apply";  // kubectl's own, so that using both tools does not add a second manager
  std::string field_validation = "Strict";
  Clock* clock = &ProcessClock();  // not owned
  // Recreates the object if the server calls a changed field immutable. `clock` and `write` of it are ignored: they
  // come from these options.
  std::optional<RecreateOptions> force = {};
};

enum class Done { kCreated, kConfigured, kUnchanged, kServerSide };
std::string_view DoneWord(Done done);  // "created"

struct Submitted {
  Done done = Done::kUnchanged;
  Document object;  // as the server answered, or for a client dry run as it would be. Owns all it points to
  // Why a server dry run could not ask the server: the same input creates what the object needs. "": it asked.
  std::string unasked = {};
};

// Creates or patches the object, or leaves it alone. After a 409, or a connection lost before the answer, reads the
// object and plans again, up to five times, and more often while others only write its status. A changed plan is always
// decided again before it is sent, also for an object that --force recreates. `prepared.tries` counts the writes sent.
Result<Submitted> Submit(Prepared& prepared, const Target& target, const SubmitOptions& options);

}  // namespace smp::apply
