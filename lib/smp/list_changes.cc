#include "smp/list_changes.h"

#include <set>
#include <string>

#include "smp/align.h"
#include "value/json.h"

namespace smp {

namespace {

bool IsList(const Value* value) { return value != nullptr && value->is_array(); }

}  // namespace

std::vector<const Value*> RemovedElements(const PlanNode& list) {
  if (list.adds.empty() || !IsList(list.original)) return {};
  std::set<std::string> applied;
  for (const Value& element : list.original->Items()) applied.insert(WriteJson(element));
  std::vector<const Value*> out;
  for (const Value* element : list.adds) {
    if (applied.contains(WriteJson(*element))) out.push_back(element);
  }
  return out;
}

bool IsReorderedInLive(const PlanNode& list, const Schema& schema) {
  if (!list.moved || !IsList(list.original) || !IsList(list.modified) || !IsList(list.live)) return false;
  const KeyRule rule = PairingRule(list, schema);
  const auto live = Identities::Of(list.live->Items(), rule, Keyless::kUnique);
  const auto wanted = Identities::Of(list.modified->Items(), rule, Keyless::kUnique);
  const auto applied = Identities::Of(list.original->Items(), rule, Keyless::kUnique);
  if (!live.ok() || !wanted.ok() || !applied.ok()) return false;
  const PositionIndex in_live(*live), in_wanted(*wanted), in_applied(*applied);
  if (in_live.has_duplicates() || in_wanted.has_duplicates() || in_applied.has_duplicates()) return false;
  std::vector<size_t> places;  // in live, in the order in which they were applied
  for (size_t i = 0; i < applied->size(); ++i) {
    if (in_wanted.Contains(*applied, i)) places.push_back(in_live.First(*applied, i));
  }
  return OutOfOrder(places);
}

}  // namespace smp
