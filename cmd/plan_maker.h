// --plan-out and --plan: what was reviewed, and whether apply sends just that (apply/review.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/plan_file.h"
#include "apply/prune.h"
#include "apply/review.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

inline constexpr const char* kPlanOut = "plan-out";
inline constexpr const char* kPlan = "plan";

Flag PlanOutFlag();
Flag PlanFlag();

// Collects the plan of the objects that are explained.
class PlanMaker {
 public:
  // Reads what identifies the cluster. `manifests`: all that is explained. Errors: invalid-argument, if the file of --plan-out
  // exists; refused, if an object is in the input more than once, or nothing that identifies the cluster may be read.
  static Result<PlanMaker> Start(const ParsedFlags& flags, const Connection& connection,
                                 const apply::Manifests& manifests);

  void Add(const apply::Prepared& prepared, explain::Action action);
  void AddPruned(const std::vector<apply::Stale>& stale);

  // Writes the plan, and says so on io.err; with an error in the report, only says that there is no plan. Error: invalid-argument.
  Status Write(const std::string& path, const explain::Report& report, Io& io) const;

  apply::Review ToReview() && { return {std::move(plan_), std::move(key_)}; }

 private:
  PlanMaker(apply::PlanFile plan, apply::PlanKey key) : plan_(std::move(plan)), key_(std::move(key)) {}

  apply::PlanFile plan_;
  apply::PlanKey key_;
};

// Returns the plan of --plan, if it fits the file, the cluster, the flags and the manifests; nullopt without the flag. Errors:
// refused, else those of ReadPrivateFile and ReadPlanFile.
Result<std::optional<apply::Review>> OpenPlan(const ParsedFlags& flags, const Connection& connection,
                                              const apply::Manifests& manifests, Io& io);

}  // namespace smp::cmd
