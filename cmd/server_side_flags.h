// --server-side, --force-conflicts and --field-manager of apply and explain-diff.
#pragma once

#include <optional>
#include <vector>

#include "apply/prepare.h"
#include "base/result.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> ServerSideFlagTable();

// Returns nullopt without --server-side. Without --field-manager, the manager is that of kubectl's server-side apply.
std::optional<apply::ServerSidePlanning> ToServerSide(const ParsedFlags& flags);

// Sets what decides how an object is applied (apply/apply_mode.h).
void SetMode(const ParsedFlags& flags, apply::Planning& planning);

// The error for --force-conflicts if nothing is applied server-side.
Error ForceConflictsAlone();

// Error: invalid-argument, for flags that cannot be combined with --server-side, or that need it.
Status CheckServerSideCombinations(const ParsedFlags& flags);

}  // namespace smp::cmd
