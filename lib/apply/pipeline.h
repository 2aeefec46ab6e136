// Pipeline: applies all objects of an input, step by step (waves.h), the objects of a step in parallel. Prepare and
// Submit decide what to read and send for one object; this decides only when.
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
  std::optional<ServerSideOptions> server_side = {};  // used instead of `submit`: nothing is read or planned
};

// The outcome for one object.
struct ObjectResult {
  enum class Fate { kDone, kFailed, kNotTried };  // kNotTried: interrupted, or the server is gone
  size_t index = 0;                               // in Manifests::items
  Fate fate = Fate::kNotTried;
  Submitted submitted = {};                 // kDone
  std::optional<Error> error = {};          // kFailed; names file and line
  std::optional<kube::ObjectRef> ref = {};  // if the kind was found
  bool lacks_last_applied = false;          // the live object had no annotation
  std::vector<Error> warnings = {};         // tolerated values of the wrong type, deviations of kubectl's patch
  std::vector<Reason> reasons = {};         // of a patch (ReasonsOf)
  int tries = 0;                            // writes sent
  int64_t milliseconds = 0;                 // from the first read to the last answer
};

// Progress of a run, shown to the user.
struct Progress {
  size_t done = 0;  // including failed
  size_t total = 0;
  size_t step = 0;  // of `steps`, from 1
  size_t steps = 0;
  std::string doing;  // "waiting for customresourcedefinition/widgets.example.com"; "" if merely busy
};

// Called from any thread, but never concurrently.
struct PipelineEvents {
  std::function<void(ObjectResult)> on_result;            // once for each item of the input
  std::function<void(const Progress&)> on_progress = {};  // when an object is done or waited for
};

// A failed object does not stop the others. If a later object of the input may provide what it lacks (a namespace, a
// kind, a service account), it is tried once more at the end. After a CRD, waits until the server serves its kind.
// Once the clock is interrupted, nothing new is started.
void ApplyAll(const Manifests& manifests, const Target& target, const PipelineOptions& options,
              const PipelineEvents& events);

struct PlanningOptions {
  int parallel = 16;
  Clock* clock = &ProcessClock();  // not owned
};

// Reads and plans all objects and sends nothing. `on_prepared` is called in input order, in the caller's thread, with
// an error for what cannot be read or planned.
void PrepareAll(const Manifests& manifests, Target target, const PlanningOptions& options,
                const std::function<void(const Result<Manifest>&, Result<Prepared>)>& on_prepared);

}  // namespace smp::apply
