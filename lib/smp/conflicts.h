// Which changes of a plan would undo what somebody else did: asked for with --overwrite=false.
#ifndef SMP_SMP_CONFLICTS_H_
#define SMP_SMP_CONFLICTS_H_

#include <vector>

#include "base/result.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// The fields and items that the plan sets or deletes as a whole although live is neither as last applied nor as it
// shall be; absent counts as a value, so live may have got it or lost it. No conflicts: elements of sets, the order of
// items, and what $retainKeys clears. In the order of the plan; empty: nobody else's change is lost.
std::vector<FieldPath> ConflictingPaths(const Plan& plan);

// Error conflict, naming the paths; its own path is the first.
Status RefuseToOverwrite(const std::vector<FieldPath>& conflicts);

}  // namespace smp

#endif  // SMP_SMP_CONFLICTS_H_
