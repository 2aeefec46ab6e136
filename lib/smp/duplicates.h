// Duplicates: list items of a manifest that have the same identity, usually forgotten copies. The server accepts some
// (schema/facts/duplicates.txt) and refuses others; in custom resources it refuses all (x-kubernetes-list-type map,
// set). Differs from kubectl: it leaves them to the server and names no lines.
#pragma once

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Each error has the item's path, the line of the last duplicate as its source, and all their lines in its message.
struct DuplicateFindings {
  std::vector<Error> refused;  // code schema: the server refuses the object
  std::vector<Error> taken;    // the server accepts the object; only worth a warning
};

// Returns the findings in document order. Linear.
DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type);

}  // namespace smp
