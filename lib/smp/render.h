// Encodes a plan as a strategic merge patch; decides nothing.
#pragma once

#include "smp/plan.h"
#include "value/document.h"

namespace smp {

enum class ListEncoding {
  kPlain,             // merge directives everywhere
  kReplaceIrregular,  // lists whose items the merge key does not identify are sent whole, with {"$patch": "replace"}
};

// Returns {} if nothing changes. Values are shared with the plan's documents.
Value Render(const Plan& plan, ListEncoding encoding, Arena& arena);

}  // namespace smp
