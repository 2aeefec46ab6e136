// What others added to an object and apply keeps: fields that only live has and that managedFields give to another
// manager than kubectl's and ours. The other fields that only live has are mostly defaults.
#pragma once

#include <string>
#include <vector>

#include "smp/managed_fields.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

struct FieldsOfManager {
  FieldManager manager;
  std::vector<FieldPath> paths;
  std::vector<std::string> values = {};  // of each path, in one line and cut; "" if it is not shown
};

enum class Values { kShow, kHide };

// Adds the path to those of the manager. `value`: as in FieldsOfManager.
void AddField(const FieldManager& manager, const FieldPath& path, std::string value, std::vector<FieldsOfManager>& out);

// Returns true for a manager that is neither kubectl's apply, server-side apply or create, nor ours.
bool IsOfOthers(const FieldManager& manager);

// Adds to `out` what others set in the field `live`, which is at `path` and `at`: the items of a list that is merged by
// keys; else the field itself where another manager owns it, else the members that one does. A field with several owners
// is added to each. Returns true if there are any.
bool AddFieldsOfOthers(const Value& live, const FieldPath& path, const FieldOwners::Position& at, Values values,
                       std::vector<FieldsOfManager>& out);

}  // namespace smp::explain
