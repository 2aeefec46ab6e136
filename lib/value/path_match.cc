#include "value/path_match.h"

#include <algorithm>

#include "value/json.h"

namespace smp {

namespace {

bool HasKeys(const Value& item, const PathStep& step) {
  return item.is_object() && std::all_of(step.keys.begin(), step.keys.end(), [&](const auto& key) {
           const Value* value = item.Find(key.first);
           return value != nullptr && WriteJson(*value) == key.second;
         });
}

}  // namespace

bool NamesField(const std::optional<PathStep>& step, std::string_view name) {
  if (!step) return true;
  if (step->kind == PathStep::Kind::kField) return step->name == name;
  return step->kind == PathStep::Kind::kElement && step->element == WriteJson(Value::UnownedString(name));
}

bool NamesItem(const std::optional<PathStep>& step, const Value& item, int64_t index) {
  if (!step) return true;
  switch (step->kind) {
    case PathStep::Kind::kField: return item.is_string() && item.AsString() == step->name;
    case PathStep::Kind::kKey: return HasKeys(item, *step);
    case PathStep::Kind::kElement: return item.is_scalar() && WriteJson(item) == step->element;
    case PathStep::Kind::kIndex: return index == step->index;
  }
  return false;
}

}  // namespace smp
