// Pipeline: applies all objects of an input, step by step (waves.h), the objects of a step in parallel. Only decides
// when to process an object; Prepare and Submit decide what to read and send.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/prepare.h"
#include "apply/server_side.h"
#include "apply/submit.h"
#include "apply/waves.h"
#include "base/clock.h"
#include "base/result.h"

namespace smp::apply {

struct PipelineOptions {
  SubmitOptions submit;
  Order order = Order::kWaves;
  int parallel = 16;                                  // objects in flight within a step
  std::optional<ServerSideOptions> server_side = {};  // if set, apply server-side: ignore `submit`, skip Prepare
};

// The outcome for one object.
struct ObjectResult {
  enum class Fate { kDone, kFailed, kNotTried };  // kNotTried: interrupted, or no connection to the server
  size_t index = 0;                               // index in Manifests::items
  Fate fate = Fate::kNotTried;
  Submitted submitted = {};                 // if kDone
  std::optional<Error> error = {};          // if kFailed; names file and line
  std::optional<kube::ObjectRef> ref = {};  // nullopt if the kind is unknown
  bool lacks_last_applied = false;          // the live object had no last-applied annotation
  std::vector<Error> warnings = {};         // tolerated type errors and duplicates, faults of a kubectl-style patch
  std::vector<Reason> reasons = {};         // why the patch makes its changes (ReasonsOf)
  std::vector<KeepPath> unmatched = {};     // Prepared::unmatched
  std::string set_left = {};                // SetLeftBy (apply_set.h)
  int tries = 0;                            // writes sent
  int64_t milliseconds = 0;                 // from the first read to the last answer
};

// Progress of a run, shown to the user.
struct Progress {
  size_t done = 0;  // including failed
  size_t total = 0;
  size_t step = 0;    // current step, 1 to `steps`
  size_t steps = 0;   // 0: objects are only read
  std::string doing;  // "waiting for customresourcedefinition/widgets.example.com"; "" if not waiting
};

// Called from any thread, but never concurrently.
struct PipelineEvents {
  std::function<void(ObjectResult)> on_result;            // once for each item of the input
  std::function<void(const Progress&)> on_progress = {};  // when an object is done, or a wait begins
};

// Applies all objects; a failure does not stop the run. An object that failed because something was missing (a
// namespace, kind or service account) which a later object may create, or because another Service has its node port or address, is tried
// once more at the end. An object of a kind that
// the input brings waits until the server serves the kind. Once the clock is interrupted, the remaining objects are
// reported as kNotTried.
void ApplyAll(const Manifests& manifests, const Target& target, const PipelineOptions& options,
              const PipelineEvents& events);

struct PlanningOptions {
  int parallel = 16;
  Clock* clock = &ProcessClock();                         // not owned
  bool ask_server = false;                                // also ask the server what it would store (ask_server.h)
  std::string field_validation = "Strict";                // of these questions
  std::function<void(const Progress&)> on_progress = {};  // as in PipelineEvents, when an object is read
};

// Reads and plans all objects without writing to the server. Calls `on_prepared` for each object, in input order, in
// the caller's thread; its second argument is an error if the object cannot be read or planned. Error internal: that of
// ServerQuestions.
Status PrepareAll(const Manifests& manifests, Target target, const PlanningOptions& options,
                  const std::function<void(const Result<Manifest>&, Result<Prepared>)>& on_prepared);

}  // namespace smp::apply
