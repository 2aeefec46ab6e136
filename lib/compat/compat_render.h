// Encodes a CompatNode as a patch; decides nothing. Private to compat.cc.
#ifndef SMP_COMPAT_COMPAT_RENDER_H_
#define SMP_COMPAT_COMPAT_RENDER_H_

#include "compat/compat_plan.h"
#include "value/document.h"

namespace smp {

// kDrops, kSets: one half of the decision (Compose needs them apart).
enum class CompatPart { kBoth, kDrops, kSets };

Value RenderCompat(const CompatNode& map, CompatPart part, Arena& arena);

}  // namespace smp

#endif  // SMP_COMPAT_COMPAT_RENDER_H_
