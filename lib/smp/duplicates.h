// Duplicates: list items of a manifest that have the same identity, usually forgotten copies. The server accepts some
// (schema/facts/duplicates.txt) and refuses others; in custom resources it refuses all (x-kubernetes-list-type map,
// set). Differs from kubectl: it leaves them to the server and names no lines.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"
#include "value/path.h"

namespace smp {

// Items of a list with the same identity.
struct DuplicateItems {
  FieldPath path;                   // of one of them
  std::vector<const Value*> items;  // all of them, in the manifest
  Duplicates meaning;               // what the server does with them
};

// Returns the groups in document order. Linear.
std::vector<DuplicateItems> FindDuplicateItems(const Document& manifest, const Schema& schema, TypeId type);

// Returns what the server does, as the end of a sentence: "; only the last one takes effect", or "".
std::string_view ConsequenceOf(Duplicates duplicates);

// Each error has the item's path, the line of the last duplicate as its source, and all their lines in its message.
struct DuplicateFindings {
  std::vector<Error> refused;  // code schema: the server refuses the object
  std::vector<Error> taken;    // the server accepts the object; only worth a warning
};

// The same as errors.
DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type);

}  // namespace smp
