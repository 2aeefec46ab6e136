// Duplicates: items of a manifest that have the same identity in a list, mostly by a forgotten copy. The server accepts
// some (schema/facts/duplicates.txt) and refuses others; in custom resources it refuses all (x-kubernetes-list-type map
// and set). Differs from kubectl: it leaves them to the server and names no lines.
#pragma once

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Each with the item's path, the place of the last one as source, and all places in the message.
struct DuplicateFindings {
  std::vector<Error> refused;  // code schema: the server refuses the object
  std::vector<Error> taken;    // only worth a warning
};

// In order of the document. Linear.
DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type);

}  // namespace smp
