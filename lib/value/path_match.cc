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

// Returns true if none of the item's keys is another one than the step's.
bool MayHaveKeys(const Value& item, const PathStep& step) {
  return item.is_object() && std::all_of(step.keys.begin(), step.keys.end(), [&](const auto& key) {
           const Value* value = item.Find(key.first);
           return value == nullptr || WriteJson(*value) == key.second;
         });
}

const Value* Below(const Value& value, const PathStep& step) {
  if (step.kind == PathStep::Kind::kField) return value.Find(step.name);
  if (!value.is_array()) return nullptr;
  for (size_t i = 0; i < value.size(); ++i) {
    const Value& item = value.Items()[i];
    const bool keyed = step.kind == PathStep::Kind::kKey;
    if (keyed ? MayHaveKeys(item, step) : NamesItem(step, item, static_cast<int64_t>(i))) return &item;
  }
  return nullptr;
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

bool NamesPart(PatternSteps steps, const Value& value) {
  if (steps.empty()) return true;
  const auto rest = steps.subspan(1);
  if (value.is_object()) {
    if (steps.front() && steps.front()->kind == PathStep::Kind::kField) {  // faster than to compare all names
      const Value* member = value.Find(steps.front()->name);
      return member != nullptr && NamesPart(rest, *member);
    }
    return std::ranges::any_of(value.Members(), [&](const Member& m) {
      return NamesField(steps.front(), m.name) && NamesPart(rest, m.value);
    });
  }
  return value.is_array() && std::ranges::any_of(value.Items(), [&](const Value& item) {
           return NamesItem(steps.front(), item, -1) && NamesPart(rest, item);
         });
}

Value WithoutNamed(const Value& value, PatternSteps steps, Arena& arena) {
  if (steps.empty() || !NamesPart(steps, value)) return value;
  const auto rest = steps.subspan(1);
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) {
      const bool named = NamesItem(steps.front(), item, -1);
      if (!named || !rest.empty()) items.push_back(named ? WithoutNamed(item, rest, arena) : item);
    }
    return arena.Array(items);
  }
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    const bool named = NamesField(steps.front(), m.name);
    if (!named || !NamesPart(rest, m.value)) {
      members.push_back(m);
      continue;
    }
    const Value left = rest.empty() ? Value() : WithoutNamed(m.value, rest, arena);
    if (!left.is_null() && !left.empty()) members.push_back({m.name, left});
  }
  return arena.SortedObject(members);
}

void LeadIntoData(PathPattern& pattern) {
  if (!pattern.empty() && pattern.front() && NamesField(pattern.front(), "stringData")) {
    pattern.front() = PathStep::Field("data");
  }
}

const Value* ValueAt(const Value& object, const FieldPath& path) {
  const Value* value = &object;
  for (const PathStep& step : path) {
    if (value != nullptr) value = Below(*value, step);
  }
  return value;
}

}  // namespace smp
