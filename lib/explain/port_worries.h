// Ports that an apply renames on one side only.
#pragma once

#include <vector>

#include "explain/object_names.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds to each object what it names and nothing has after the apply (Worry::kPortGone), and what it had and others name
// (Worry::kPortOfOthers). Not what was so before. O(n log n)
// but for Services that are found by their labels.
void AddGonePorts(const Objects& objects, std::vector<FoundWorries>& out);

}  // namespace smp::explain
