// Conditions that Kubernetes' controllers write into an object's status.
#ifndef SMP_APPLY_CONDITIONS_H_
#define SMP_APPLY_CONDITIONS_H_

#include <string_view>

#include "value/value.h"

namespace smp {

// Returns the condition of that type, nullptr if there is none. Points into `object`.
const Value* FindCondition(const Value& object, std::string_view type);

// Returns true if the condition exists and has that status: "True", "False" or "Unknown".
bool HasStatus(const Value* condition, std::string_view status);

}  // namespace smp

#endif  // SMP_APPLY_CONDITIONS_H_
