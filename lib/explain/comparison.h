// The difference between two live objects, which are twins in two clusters or namespaces. Unlike a change, nobody is to
// make it: the rows lead from the object there to the one here.
#pragma once

#include "explain/report.h"

namespace smp::explain {

// Makes the report of a change, whose manifest was the object here and whose live object that there, or of a creation, one
// of a difference: without what only matters to an apply, and with sentences that say where a value is.
void ToComparison(ObjectReport& report);

// Reports an object that is only there.
ObjectReport ReportOnlyThere(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name);

}  // namespace smp::explain
