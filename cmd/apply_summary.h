// The last lines of apply: how many objects had which outcome, which ones failed, and the shortest way out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apply/manifests.h"
#include "apply/pipeline.h"
#include "base/result.h"

namespace smp::cmd {

// Returns what happened to the object, as -o result-json calls it: "configured", "failed".
std::string_view ActionOf(const apply::ObjectResult& result);

// All actions, in the order in which they are counted.
const std::vector<std::string_view>& Actions();

// Returns "3 configured, 1 recreated, 56 unchanged, 1 failed in 1.2 s".
std::string CountsText(const std::vector<apply::ObjectResult>& results, int64_t milliseconds);

// Returns "deployment.apps/web (web.yaml:12)" of each object that failed, also of manifests that could not be read.
std::vector<std::string> NamesOfFailed(const apply::Manifests& manifests,
                                       const std::vector<apply::ObjectResult>& results);

// Returns "failed: deployment.apps/web (web.yaml:12), … and 3 more" in lines of this width, escaped.
std::string FailedText(std::vector<std::string> failed, size_t width);

// Returns what to do about the failures: "fix web.yaml:12, then run the same command again". Empty if neither a change of
// a manifest nor waiting helps. `may_force`: --force is possible and not given.
std::vector<std::string> WaysOut(const std::vector<apply::ObjectResult>& results, bool may_force);

}  // namespace smp::cmd
