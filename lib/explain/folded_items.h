// Variables, mounts and volumes of Pods that say the same many times: five lines of YAML for each of many variables, and of which
// the names are all that differs.
#pragma once

#include <cstddef>
#include <string>

#include "explain/reading_order.h"
#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

// Returns the value, in words if it is a variable from another object: "from ConfigMap settings, key log.level, optional".
const Value* VariableInWords(const Value* value, const FieldPath& path, Arena& arena);

// Returns how many rows, from the first on, add or remove variables from the same object or with short values, mounts, or volumes of
// the same kind, if they are so many that one row says more; else 0. A row whose reason needs a sentence is none of them.
size_t CountItemsAlike(RowPointers rows);

// Returns "variables from ConfigMap settings, optional: A, B, C and 9 more (--wide)", or "variables: A = 1, B = 2, …". REQUIRES: the rows are alike.
std::string ItemsInWords(RowPointers rows);

}  // namespace smp::explain
