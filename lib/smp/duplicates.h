// Duplicates: items of a manifest that have one identity in a list. Mostly one of them was copied and forgotten. The server
// takes some (schema/facts/duplicates.txt says what becomes of them) and refuses others; in custom resources it refuses
// all (x-kubernetes-list-type map and set). Differs from kubectl: it says nothing of them before the server does, and
// names no lines.
#ifndef SMP_SMP_DUPLICATES_H_
#define SMP_SMP_DUPLICATES_H_

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "smp/diff.h"
#include "value/document.h"

namespace smp {

// Each with the item's path, the place of the last one as source, and all places in the message.
struct DuplicateFindings {
  std::vector<Error> refused;  // code schema: the server will not take the object
  std::vector<Error> taken;    // only worth a warning
};

// In order of the document. Linear.
DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type);

}  // namespace smp

#endif  // SMP_SMP_DUPLICATES_H_
