#include "smp/list_changes.h"

#include <algorithm>
#include <map>
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

// The places in live of what live and the manifest have.
std::map<std::string, const Value*> SharedByName(const PlanNode& list) {
  std::map<std::string, const Value*> out;
  for (const PlanNode& child : list.children) {
    if (child.live != nullptr && child.modified != nullptr) out.emplace(NameOf(list, *child.item), child.live);
  }
  if (list.shape != Shape::kElements) return out;
  std::set<std::string> wanted;
  for (const Value& element : list.modified->Items()) wanted.insert(WriteJson(element));
  for (const Value& element : list.live->Items()) {
    std::string name = WriteJson(element);
    if (wanted.contains(name)) out.emplace(std::move(name), &element);
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
  const std::map<std::string, const Value*> shared = SharedByName(list);
  std::vector<const Value*> places;
  for (const Value& item : list.original->Items()) {
    const auto at = shared.find(NameOf(list, item));
    if (at != shared.end()) places.push_back(at->second);
  }
  return !std::ranges::is_sorted(places, std::less<const Value*>());
}

}  // namespace smp
