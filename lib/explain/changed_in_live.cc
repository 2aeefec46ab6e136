#include "explain/changed_in_live.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "explain/inner_changes.h"
#include "explain/nested_changes.h"

namespace smp::explain {

namespace {

std::vector<FieldPath> ChangedPaths(const Value& applied, const Value& live) {
  std::vector<FieldPath> out;
  const auto add = [&](const std::vector<NestedChange>& changes) {
    for (const NestedChange& change : changes) out.push_back(change.path);
  };
  if (const auto changes = NestedChanges(applied, live)) {
    add(*changes);
  } else if (const auto inside = ChangesInside(applied, live)) {
    add(inside->changes);
  }
  return out;
}

// Returns the texts of the paths to each step, the whole path last.
std::vector<std::string> Prefixes(const FieldPath& path) {
  std::vector<std::string> out;
  for (size_t size = 1; size <= path.size(); ++size) {
    out.push_back(ToString(FieldPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(size))));
  }
  return out;
}

}  // namespace

ChangedInLive::ChangedInLive(const Value* applied, const Value& live) {
  if (applied == nullptr) return;
  has_one_item_ = applied->is_array() && live.is_array() && applied->size() == 1 && live.size() == 1;
  for (const FieldPath& path : ChangedPaths(*applied, live)) {
    std::vector<std::string> prefixes = Prefixes(path);
    if (prefixes.empty()) continue;
    paths_.insert(std::move(prefixes.back()));
    prefixes.pop_back();
    above_.insert(prefixes.begin(), prefixes.end());
  }
}

bool ChangedInLive::Has(const FieldPath& path) const {
  const auto is_index = [](const PathStep& step) { return step.kind == PathStep::Kind::kIndex; };
  const auto known = path.begin() + (has_one_item_ && !path.empty() && is_index(path.front()) ? 1 : 0);
  if (paths_.empty() || path.empty() || std::any_of(known, path.end(), is_index)) return false;
  const std::vector<std::string> prefixes = Prefixes(path);
  return above_.contains(prefixes.back()) ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& text) { return paths_.contains(text); });
}

}  // namespace smp::explain
