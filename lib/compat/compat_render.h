// Encodes a CompatNode as a patch; decides nothing. Private to compat.cc.
#pragma once

#include "compat/compat_plan.h"
#include "value/document.h"

namespace smp::compat {

// kDrops, kSets: only the deletions, or only the changes (Compose combines them).
enum class CompatPart { kBoth, kDrops, kSets };

Value RenderCompat(const CompatNode& map, CompatPart part, Arena& arena);

}  // namespace smp::compat
