// Objects without a last-applied annotation, e.g. made by `kubectl create`. Without it, a list item that only live has
// may come from an earlier manifest or from another manager.
#pragma once

#include <string_view>

#include "base/result.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp::apply {

// Error: refused, if the plan adds an item to a list and keeps a live item that is not in the manifest and was written
// by a kubectl command (per metadata.managedFields): the new item may be the old one renamed. `file`: the manifest's,
// for the message. Differs from kubectl: it keeps both, so that e.g. a Deployment also runs the container with the old
// name (kubernetes/kubernetes#39144, #22342).
Status RefuseUnrecordedRename(const Plan& plan, const Value& live, std::string_view file);

}  // namespace smp::apply
