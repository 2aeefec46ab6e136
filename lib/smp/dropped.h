// What was set and the server has dropped on its own: a field behind a feature gate that is off, a node port with the type of a Service.
#pragma once

#include <vector>

#include "smp/managed_fields.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// Gives reason kAdded to what the plan would add again as kRestored though managedFields still say that it was set, and returns its paths.
// Where somebody removes a field, its owners go, too; where the server drops it after it has written managedFields, they stay. Whether it
// drops it again, only a dry run tells.
std::vector<FieldPath> CallDroppedAdded(Plan& plan, const FieldOwners& owners);

}  // namespace smp
