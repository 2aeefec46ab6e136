// Objects that no apply has recorded: made by `kubectl create`, say. Whether an item that only live has belongs to an
// earlier manifest, or to another manager, stands nowhere then.
#ifndef SMP_APPLY_UNRECORDED_H_
#define SMP_APPLY_UNRECORDED_H_

#include <string_view>

#include "base/result.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp {

// Error refused where the plan adds an item to a list in which live keeps one that, by metadata.managedFields, a
// kubectl command wrote: a renamed item looks like that, and so does one more. `file`: the manifest's, for the message.
// Differs from kubectl: it keeps both, so that a Deployment runs the container under its old name, too
// (kubernetes/kubernetes#39144, #22342).
Status RefuseUnrecordedRename(const Plan& plan, const Value& live, std::string_view file);

}  // namespace smp

#endif  // SMP_APPLY_UNRECORDED_H_
