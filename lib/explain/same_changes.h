// Many changes inside one value, folded: a new version of a project changes the same thing at a hundred paths of a schema.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "explain/nested_changes.h"

namespace smp::explain {

struct FoldedChanges {
  // In order, each with the number of later changes that are like it: the same field of a field of the same name, with
  // the same values. Points into the changes.
  std::vector<std::pair<const NestedChange*, size_t>> shown;
  size_t descriptions = 0;  // texts of an OpenAPI schema, which change nothing
};

// Linear in the size of the values.
FoldedChanges FoldChanges(const std::vector<NestedChange>& changes);

}  // namespace smp::explain
