// The path of a walk over an object and its schema: cheap to extend, converted to a FieldPath only for a finding.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "value/path.h"

namespace smp {

struct WalkStep {
  std::string_view name = {};
  const Value* item = nullptr;  // of a list; nullptr: a member
  int64_t index = 0;
  const Field* list = nullptr;
};

inline PathStep ToPathStep(const WalkStep& step) {
  if (step.item == nullptr) return PathStep::Field(step.name);
  if (step.list == nullptr || !step.item->is_object()) return PathStep::Index(step.index);
  PathStep by_key = KeyStep(*step.item, step.list->identity_keys);
  return by_key.keys.empty() ? PathStep::Index(step.index) : by_key;
}

inline FieldPath ToFieldPath(const std::vector<WalkStep>& steps) {
  FieldPath path;
  for (const WalkStep& step : steps) path.push_back(ToPathStep(step));
  return path;
}

}  // namespace smp
