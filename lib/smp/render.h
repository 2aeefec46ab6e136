// Encodes a plan as a strategic merge patch; decides nothing.
#pragma once

#include "smp/plan.h"
#include "value/document.h"

namespace smp {

enum class ListEncoding {
  kPlain,             // lists are merged by directives
  kReplaceIrregular,  // irregular lists (plan.h) are sent as a whole, with {"$patch": "replace"}
};

// Returns {} if nothing changes. Values are shared with the plan's documents.
Value Render(const Plan& plan, ListEncoding encoding, Arena& arena);

}  // namespace smp
