// What apply does before its first write: compares with a plan (--plan), lets the server check all objects (--check=all), shows
// what would change and asks (--confirm), asks what --prune shall delete.
#pragma once

#include <optional>
#include <vector>

#include "apply/apply_set.h"
#include "apply/prepare.h"
#include "apply/prune.h"
#include "apply/review.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/explained_object.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "cmd/prune.h"

namespace smp::cmd {

inline constexpr const char* kAskingFlag = "--check=all";

std::vector<Flag> PreviewFlagTable();  // --plan, --confirm, --check

// Error: invalid-argument, for flags that cannot be combined with these; refused if nobody can answer --confirm.
Status CheckPreviewCombinations(const ParsedFlags& flags, apply::DryRun dry_run);

struct ToPreview {
  const Connection& connection;
  const Chosen& chosen;
  const apply::Target& target;
  const ExplainOptions& explain;
  const std::optional<PruneOptions>& prune;
  const apply::ApplySet* set = nullptr;  // not owned
  int parallel = 16;
};

// Sends reads and, with --check=all, dry runs. Returns what may be sent, or the exit status if nothing shall be applied. Errors:
// those of OpenPlan, ExplainInput and CheckPruned.
struct Preview {
  std::optional<apply::Review> review;  // nullopt: whatever is necessary
  Agreed agreed;
  std::optional<int> exit;
  bool asked = false;  // so that time has passed
};
Result<Preview> PreviewApply(const ParsedFlags& flags, const ToPreview& input, Io& io);

}  // namespace smp::cmd
