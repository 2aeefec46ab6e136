#include "explain/same_changes.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"

namespace smp::explain {

namespace {

// Returns the last two names in the path, the last one first: of "items[3].port.minimum" "minimum" and "port". "" where it has
// fewer.
std::pair<std::string_view, std::string_view> EndOf(const FieldPath& path) {
  std::vector<std::string_view> names;
  for (auto step = path.rbegin(); step != path.rend() && names.size() < 2; ++step) {
    if (step->kind == PathStep::Kind::kField) names.push_back(step->name);
  }
  names.resize(2);
  return {names[0], names[1]};
}

bool SameOrBothNone(const Value* a, const Value* b) { return a == nullptr || b == nullptr ? a == b : *a == *b; }

struct IsAlike {
  bool operator()(const NestedChange* a, const NestedChange* b) const {
    return EndOf(a->path) == EndOf(b->path) && SameOrBothNone(a->before, b->before) &&
           SameOrBothNone(a->after, b->after);
  }
};

struct HashOfChange {
  size_t operator()(const NestedChange* change) const {
    size_t hash = HashText(EndOf(change->path).first);
    for (const Value* value : {change->before, change->after}) {
      hash = hash * 31 + (value == nullptr ? 0 : HashValue(*value));
    }
    return hash;
  }
};

// A property with this name is a map.
bool IsDescription(const NestedChange& change) {
  const auto is_schema = [](const PathStep& step) { return step.name == "openAPIV3Schema"; };
  const auto is_text = [](const Value* value) { return value == nullptr || value->is_string(); };
  return EndOf(change.path).first == "description" && is_text(change.before) && is_text(change.after) &&
         std::any_of(change.path.begin(), change.path.end(), is_schema);
}

}  // namespace

FoldedChanges FoldChanges(const std::vector<NestedChange>& changes) {
  FoldedChanges out;
  std::unordered_map<const NestedChange*, size_t, HashOfChange, IsAlike> places;
  for (const NestedChange& change : changes) {
    if (IsDescription(change)) {
      ++out.descriptions;
      continue;
    }
    const auto [at, is_new] = places.try_emplace(&change, out.shown.size());
    if (is_new) {
      out.shown.emplace_back(&change, 0);
    } else {
      ++out.shown[at->second].second;
    }
  }
  return out;
}

}  // namespace smp::explain
