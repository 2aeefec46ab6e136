// Conditions, as Kubernetes' controllers write them into status.
#ifndef SMP_APPLY_CONDITIONS_H_
#define SMP_APPLY_CONDITIONS_H_

#include <string_view>

#include "value/value.h"

namespace smp {

// The condition of that type; nullptr: there is none. Points into `object`.
const Value* FindCondition(const Value& object, std::string_view type);

// `status`: True, False or Unknown. No condition is none of them.
bool HasStatus(const Value* condition, std::string_view status);

}  // namespace smp

#endif  // SMP_APPLY_CONDITIONS_H_
