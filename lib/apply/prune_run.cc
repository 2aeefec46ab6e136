#include "apply/prune_run.h"

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"

namespace smp {

namespace {

constexpr int64_t kForeverMs = int64_t{7} * 24 * 3600 * 1000;  // a week, as in kubectl

Status DeleteOne(Client& client, const Stale& object, const PruneRunOptions& options) {
  if (options.dry_run == DryRun::kClient) return Ok();
  const Storing storing = options.dry_run == DryRun::kServer ? Storing::kServerDryRun : Storing::kYes;
  return Prune(client, object, options.deletion, storing);
}

// Returns the outcomes by index of the plan; nullopt if Ctrl-C came first.
std::vector<std::optional<Status>> DeleteAll(Client& client, Clock& clock, const std::vector<Stale>& plan,
                                             const PruneRunOptions& options) {
  std::vector<std::optional<Status>> out(plan.size());
  ParallelFor(plan.size(), options.parallel, [&](size_t i) {
    if (!clock.interrupted()) out[i] = DeleteOne(client, plan[i], options);
  });
  return out;
}

// Waits for all of them within one timeout. After Ctrl-C the rest counts as pruned: the server has accepted it.
PruneEnd AwaitAll(Client& client, Clock& clock, const std::vector<const Stale*>& deleted, int64_t timeout_ms,
                  const PruneReport& report) {
  const int64_t end = clock.NowMs() + (timeout_ms > 0 ? timeout_ms : kForeverMs);
  PruneEnd result = PruneEnd::kDone;
  bool interrupted = clock.interrupted();
  for (const Stale* object : deleted) {
    Awaited awaited{Absence::kInterrupted};
    if (!interrupted) awaited = AwaitGone(client, object->ref, object->uid, end - clock.NowMs(), clock);
    interrupted |= awaited.absence == Absence::kInterrupted;
    if (awaited.absence != Absence::kTimedOut) {
      report.pruned(*object);
      continue;
    }
    const std::string held = awaited.object ? WhatHolds(awaited.object->root()) : "";
    const std::string message = StrCat("timed out waiting until it is gone", held.empty() ? "" : ": ", held);
    report.failed(*object, {ErrorCode::kServer, message});
    result = PruneEnd::kFailed;
  }
  return interrupted ? PruneEnd::kInterrupted : result;
}

}  // namespace

PruneEnd PruneAll(Client& client, Clock& clock, const std::vector<Stale>& plan, const PruneRunOptions& options,
                  const PruneReport& report) {
  const auto fates = DeleteAll(client, clock, plan, options);
  const bool waits = options.wait && options.dry_run == DryRun::kNone;
  PruneEnd end = PruneEnd::kDone;
  std::vector<const Stale*> deleted;
  for (size_t i = 0; i < plan.size(); ++i) {
    if (!fates[i]) {
      report.not_tried(plan[i]);
    } else if (!fates[i]->ok()) {
      report.failed(plan[i], fates[i]->error());
      end = PruneEnd::kFailed;
    } else if (waits) {
      deleted.push_back(&plan[i]);
    } else {
      report.pruned(plan[i]);
    }
  }
  const PruneEnd waited = AwaitAll(client, clock, deleted, options.deletion.timeout_ms, report);
  if (waited != PruneEnd::kDone) end = waited;
  return clock.interrupted() ? PruneEnd::kInterrupted : end;
}

}  // namespace smp
