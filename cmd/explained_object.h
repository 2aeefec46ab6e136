// One object of explain-diff: what apply would do to it, from what was read for it.
#pragma once

#include <optional>
#include <vector>

#include "apply/deletion.h"
#include "apply/foretold_refusals.h"
#include "apply/planned_writes.h"
#include "apply/prepare.h"
#include "apply/recreate.h"
#include "apply/submit.h"
#include "auth/kubeconfig.h"
#include "explain/ignore.h"
#include "explain/report.h"

namespace smp::cmd {

struct ExplainOptions {
  explain::ReportOptions report = {};
  std::optional<apply::RecreateOptions> force = {};  // nullopt without --force
  bool states = false;                               // whether the format shows ObjectReport::states
  bool managed_fields = false;                       // StateOptions::managed_fields
  bool requests = false;                             // likewise, ObjectReport::requests
  apply::Deletion deletion = {};                     // how --prune and --force delete
  apply::SubmitOptions submit = {};                  // how a client-side apply writes
  apply::Planning planning = {};
  std::vector<explain::IgnoredPath> ignored = {};
};

// Returns the server's refusal, or one that reading shows; `recreatable` only if --force recreates the object, or would if it were
// given. nullopt: the server takes the object, as far as is known.
std::optional<apply::ForetoldRefusal> RefusalOf(const apply::Prepared& prepared, const ExplainOptions& options);

// Reports the object with its refusal, if the server refused it or reading shows that it will, and with all warnings.
explain::ObjectReport ExplainObject(apply::Prepared prepared, const ExplainOptions& options);

// Reports the difference between the object there (`live`) and that here (apply::PrepareComparison).
explain::ObjectReport CompareObject(const apply::Prepared& prepared, const ExplainOptions& options);

explain::ReportContext ToContext(const auth::ConnectionConfig& config);

// Returns a write as it is shown: the body of a Secret is masked. `object`: what is written.
explain::Request ToRequest(apply::PlannedWrite write, const Value& object, explain::Secrets secrets);

}  // namespace smp::cmd
