// --applyset: --prune deletes only the members of an ApplySet (apply/apply_set.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/apply_set.h"
#include "apply/manifests.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

std::vector<Flag> ApplySetFlagTable();

// Error: invalid-argument, with kubectl's messages, for --applyset with flags that choose what to prune, or alone.
Status CheckApplySetCombinations(const ParsedFlags& flags);

// Reads the set's parent and adds the set's label to the manifests. Returns nullopt without --applyset. Warns on io.err;
// `connection` and `io` must outlive the set. Errors: those of ApplySet::Open and AddLabels.
Result<std::optional<apply::ApplySet>> OpenApplySet(const ParsedFlags& flags, const Connection& connection,
                                                    const apply::SubmitOptions& submit, apply::Manifests& manifests,
                                                    Io& io);

}  // namespace smp::cmd
