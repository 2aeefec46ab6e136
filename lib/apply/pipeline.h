// Pipeline: all objects of an input, step by step (waves.h) and within a step many at once. What is read, decided and
// sent for one object is Prepare and Submit; here is only when.
#ifndef SMP_APPLY_PIPELINE_H_
#define SMP_APPLY_PIPELINE_H_

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
#include "base/interrupt.h"
#include "base/result.h"

namespace smp {

struct PipelineOptions {
  SubmitOptions submit;
  Order order = Order::kWaves;
  int parallel = 16;                                  // objects of a step at once
  const Interrupt* interrupt = nullptr;               // not owned; when raised, nothing new is begun
  std::optional<ServerSideOptions> server_side = {};  // instead of `submit`: nothing is read or planned
};

// What became of one object.
struct ObjectResult {
  enum class Fate { kDone, kFailed, kNotTried };  // kNotTried: interrupted, or the server is gone
  size_t index = 0;                               // in Manifests::items
  Fate fate = Fate::kNotTried;
  Submitted submitted = {};           // kDone
  std::optional<Error> error = {};    // kFailed; names file and line
  std::optional<ObjectRef> ref = {};  // when the kind was found
  bool lacks_last_applied = false;    // live had no annotation
  std::vector<Error> warnings = {};   // values of the wrong type that are allowed, what kubectl's patch does otherwise
  std::vector<Reason> reasons = {};   // of a patch (ReasonsOf)
  int tries = 0;                      // writes that were sent
  int64_t milliseconds = 0;           // from the first read to the last answer
};

// How far it is, for people who wait.
struct Progress {
  size_t done = 0;  // or failed
  size_t total = 0;
  size_t step = 0;  // of `steps`, from 1
  size_t steps = 0;
  std::string doing;  // "waiting for customresourcedefinition/widgets.example.com"; "" where it is just busy
};

// Called one at a time, from any thread.
struct PipelineEvents {
  std::function<void(ObjectResult)> on_result;            // once for each item of the input
  std::function<void(const Progress&)> on_progress = {};  // when something ends or is waited for
};

// An object that fails stops no other. One that fails for what a later object of the input may bring (a namespace, a
// kind, a service account) is tried once more at the end. A definition of custom resources is awaited.
void ApplyAll(const Manifests& manifests, const Target& target, const PipelineOptions& options,
              const PipelineEvents& events);

struct PlanningOptions {
  int parallel = 16;
  Clock* clock = nullptr;  // not owned
};

// Reads and plans all, sends nothing: `on_prepared` is called in input order, in the caller's thread, with the error of
// what cannot be read or planned.
void PrepareAll(const Manifests& manifests, Target target, const PlanningOptions& options,
                const std::function<void(const Result<Manifest>&, Result<Prepared>)>& on_prepared);

}  // namespace smp

#endif  // SMP_APPLY_PIPELINE_H_
