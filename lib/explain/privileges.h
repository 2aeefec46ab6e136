// Privileges that others added to an object and apply keeps (schema/facts/privileges.txt).
#pragma once

#include <vector>

#include "explain/of_others.h"
#include "schema/schema.h"
#include "smp/managed_fields.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

// What the schema says about a value that only live has.
struct KeptPlace {
  TypeId map = kNoType;         // of the map that has the value as a member; kNoType for an item of a list
  TypeId type = kNoType;        // of the value; of a list: of its items
  const Field* list = nullptr;  // the field, if the value is a list
};

// Adds to `out` the fields at and in `live`, which is at `path` and `at`, that give rights and that another manager than
// kubectl's and ours owns, with all such managers.
void AddPrivilegesOfOthers(const Value& live, const KeptPlace& place, const Schema& schema, const FieldPath& path,
                           const FieldOwners::Position& at, std::vector<FieldsOfManager>& out);

}  // namespace smp::explain
