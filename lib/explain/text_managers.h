// Lines about who applied objects, and what others set in them.
#pragma once

#include <string>
#include <vector>

#include "explain/report.h"
#include "explain/text.h"

namespace smp::explain {

// Returns the lines about what other managers set in the objects, which have the same body; with their names where not all of the
// objects have it.
std::string PrintFieldsOfOthers(const std::vector<const ObjectReport*>& objects, const TextOptions& options);

// Returns "last applied by kubectl-client-side-apply (Update; last write 3d ago)": the newest write of each manager. ""
// if none is known. REQUIRES: !objects.empty().
std::string LastApplied(const std::vector<const ObjectReport*>& objects);

}  // namespace smp::explain
