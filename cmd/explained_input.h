// All objects of an input, as apply would change them on the server: what explain-diff shows, and apply --confirm asks about.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "apply/apply_set.h"
#include "apply/input_definitions.h"
#include "apply/prepare.h"
#include "apply/prune.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/explained_object.h"
#include "cmd/ignore_flag.h"
#include "cmd/io.h"
#include "cmd/keep_live_flag.h"
#include "cmd/plan_maker.h"
#include "cmd/prune.h"
#include "explain/report.h"

namespace smp::cmd {

// Paths of flags that name nothing.
struct Unmatched {
  UnmatchedPaths kept = {};
  UnmatchedIgnores ignored;

  void WarnOf(Io& io) const {
    kept.WarnOf(io);
    ignored.WarnOf(io);
  }
};

// Adds the explanation of a manifest to the report, or its error if it cannot be read or prepared.
void Explain(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared, const ExplainOptions& options,
             Unmatched& unmatched, explain::Report& report);

struct InputToExplain {
  const Connection& connection;
  const Chosen& chosen;
  const apply::InputDefinitions& definitions;  // of `chosen`
  apply::Target target;
  std::optional<apply::PruneScope> prune = {};  // nullopt: without --prune
  const apply::ApplySet* set = nullptr;         // not owned; nullptr: without --applyset
  int parallel = 16;
  bool asks = false;                                           // the server, in dry runs
  std::string field_validation = "Strict";                     // of these
  PlanMaker* plan = nullptr;                                   // not owned; gets all that is explained; may be nullptr
  std::function<void(explain::ObjectReport&)> on_object = {};  // called for each object of the input, in order
};

// Reads and plans all objects, and what --prune would delete; writes nothing. Errors: those of PrepareAll and PlanPrune;
// invalid-argument, for --force-conflicts if nothing is applied server-side.
Result<explain::Report> ExplainInput(const InputToExplain& input, const ExplainOptions& options, Io& io);

bool HasError(const explain::Report& report);

}  // namespace smp::cmd
