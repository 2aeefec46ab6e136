#include "explain/changed_in_live.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "explain/inner_changes.h"
#include "explain/nested_changes.h"

namespace smp::explain {

namespace {

std::optional<std::vector<NestedChange>> ChangesOf(const Value& applied, const Value& live) {
  if (auto changes = NestedChanges(applied, live)) return changes;
  auto inside = ChangesInside(applied, live);
  if (!inside) inside = ValuesInside(applied, live);
  return inside ? std::optional(std::move(inside->changes)) : std::nullopt;
}

bool IsIndex(const PathStep& step) { return step.kind == PathStep::Kind::kIndex; }

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
  const auto changes = ChangesOf(*applied, live);
  is_compared_ = changes.has_value();
  if (!is_compared_) return;
  for (const NestedChange& change : *changes) {
    std::vector<std::string> prefixes = Prefixes(change.path);
    if (prefixes.empty()) continue;
    paths_.insert(std::move(prefixes.back()));
    prefixes.pop_back();
    above_.insert(prefixes.begin(), prefixes.end());
  }
  NoteMoves(*changes);
}

void ChangedInLive::NoteMoves(const std::vector<NestedChange>& changes) {
  for (const auto& [path, before, after] : changes) {
    const bool comes_or_goes = !path.empty() && IsIndex(path.back()) && (before == nullptr || after == nullptr);
    if (comes_or_goes) moved_.insert(ToString(FieldPath(path.begin(), path.end() - 1)));
  }
}

bool ChangedInLive::CanTell(const FieldPath& path) const {
  const std::vector<std::string> prefixes = Prefixes(path);
  for (size_t i = has_one_item_ ? 1 : 0; i < path.size(); ++i) {
    if (IsIndex(path[i]) && moved_.contains(i == 0 ? "" : prefixes[i - 1])) return false;
  }
  return is_compared_ && !path.empty();
}

bool ChangedInLive::Has(const FieldPath& path) const {
  if (paths_.empty() || !CanTell(path)) return false;
  const std::vector<std::string> prefixes = Prefixes(path);
  return above_.contains(prefixes.back()) ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& text) { return paths_.contains(text); });
}

}  // namespace smp::explain
