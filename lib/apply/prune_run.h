// Executes a plan of prune.h: deletes in parallel, and waits until the objects are gone.
#ifndef SMP_APPLY_PRUNE_RUN_H_
#define SMP_APPLY_PRUNE_RUN_H_

#include <functional>
#include <vector>

#include "apply/deletion.h"
#include "apply/prune.h"
#include "apply/submit.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"

namespace smp {

struct PruneRunOptions {
  Deletion deletion;
  DryRun dry_run = DryRun::kNone;
  bool wait = false;  // until all objects are gone, within the deletion's timeout
  int parallel = 16;  // deletions in flight
};

// What to tell the user: one outcome for each object, in the order of the plan. With `wait`, an object is pruned when it
// is gone, so that all that were deleted come after the others.
struct PruneReport {
  std::function<void(const Stale&)> pruned;
  std::function<void(const Stale&, Error)> failed;
  std::function<void(const Stale&)> not_tried;  // Ctrl-C came first
};

enum class PruneEnd { kDone, kFailed, kInterrupted };

PruneEnd PruneAll(Client& client, Clock& clock, const std::vector<Stale>& plan, const PruneRunOptions& options,
                  const PruneReport& report);

}  // namespace smp

#endif  // SMP_APPLY_PRUNE_RUN_H_
