#include "smp/list_changes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "smp/align.h"
#include "value/json.h"
#include "value/path.h"

namespace smp {

namespace {

bool HasApplied(const PlanNode& list) { return list.original != nullptr && list.original->is_array(); }

// What tells the item or element apart from others of the list; "" where it has no keys.
std::string NameOf(const PlanNode& list, const Value& item) {
  if (list.shape == Shape::kElements) return WriteJson(item);
  return item.is_object() ? ToString(KeyStep(item, list.field->identity_keys)) : "";
}

// The names of the items in their order; nullopt where two have the same.
std::optional<std::vector<std::string>> NamesOf(const PlanNode& list, const Value& items) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Value& item : items.Items()) {
    out.push_back(NameOf(list, item));
    if (!seen.insert(out.back()).second) return std::nullopt;
  }
  return out;
}

}  // namespace

std::vector<const Value*> RemovedElements(const PlanNode& list) {
  if (list.adds.empty() || !HasApplied(list)) return {};
  std::set<std::string> applied;
  for (const Value& element : list.original->Items()) applied.insert(WriteJson(element));
  std::vector<const Value*> out;
  for (const Value* element : list.adds) {
    if (applied.contains(WriteJson(*element))) out.push_back(element);
  }
  return out;
}

bool IsReorderedInLive(const PlanNode& list) {
  if (!list.moved || !HasApplied(list)) return false;
  const auto live = NamesOf(list, *list.live), applied = NamesOf(list, *list.original),
             wanted = NamesOf(list, *list.modified);
  if (!live || !applied || !wanted) return false;
  const std::set<std::string> stays(wanted->begin(), wanted->end());
  std::map<std::string, size_t> places;
  for (const std::string& name : *live) {
    if (stays.contains(name)) places.emplace(name, places.size());
  }
  std::vector<size_t> in_live;  // in the order in which they were applied
  for (const std::string& name : *applied) {
    if (const auto at = places.find(name); at != places.end()) in_live.push_back(at->second);
  }
  return !std::ranges::is_sorted(in_live);
}

}  // namespace smp
