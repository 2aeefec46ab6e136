// What the server did not keep when it was last applied, such as a field behind a feature gate that is off.
#pragma once

#include <vector>

#include "smp/managed_fields.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

// Takes the nodes out of the plan that would add again what live lacks though managedFields say that it was set, and returns their
// paths. Where somebody removes a field, its owners go, too; where the server drops it after it has written managedFields, they stay.
// For the explanation: a patch sends the field again, as the server may keep it one day.
std::vector<FieldPath> TakeNotKept(Plan& plan, const FieldOwners& owners);

}  // namespace smp
