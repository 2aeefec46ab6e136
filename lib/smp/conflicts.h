// Finds the changes of a plan that would undo what somebody else did, for --overwrite=false.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "smp/managed_fields.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

struct OverwrittenField {
  FieldPath path;
  std::vector<FieldManager> owners;  // empty if live does not have the field, or managedFields name nobody
};

// Returns, in the order of the plan, the fields and items that it sets or deletes as a whole although live has neither
// the last-applied value nor the new one; elements of sets that were applied and live lacks; and lists that have another order in live than
// they were applied in. Absence counts as a value. Derived fields and fields cleared by $retainKeys or a union are never conflicts. `live`:
// what the plan was made from, by `schema`.
std::vector<OverwrittenField> OverwrittenFields(const Plan& plan, const Value& live, const Schema& schema);

// Returns Ok if `fields` is empty. Error: conflict; its path is the first one, its message has that one's owners and up
// to 19 more paths with theirs, each path once.
Status RefuseToOverwrite(const std::vector<OverwrittenField>& fields);

}  // namespace smp
