// A changed copy of a document that people wrote keeps its line numbers.
#pragma once

#include "value/at.h"
#include "value/document.h"

namespace smp {

// Returns `root`, a changed copy of `from`'s root that was made in `arena`, as a document with the source of `from` and
// the lines of all values that were copied from it. A copied list keeps the lines of its items only if none was added
// or removed. REQUIRES: `arena` retains `from`.
Document DerivedDocument(const Document& from, Arena arena, const Value& root);

// Returns `object` with "" in place of the nulls in the map at `path`: Go reads them so into a map of strings. Shares memory and
// lines.
Document WithTextsForNulls(const Document& object, Names path);

}  // namespace smp
