#include "apply/conditions.h"

namespace smp {

const Value* FindCondition(const Value& object, std::string_view type) {
  const Value* conditions = object.FindPath({"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return nullptr;
  for (const Value& condition : conditions->Items()) {
    if (condition.StringOr("type") == type) return &condition;
  }
  return nullptr;
}

bool HasStatus(const Value* condition, std::string_view status) {
  return condition != nullptr && condition->StringOr("status") == status;
}

}  // namespace smp
