#include "explain/reach_facts.h"

#include <algorithm>

namespace smp::explain {

namespace {

Labels LabelsIn(const Value* map) {
  Labels out;
  if (map == nullptr || !map->is_object()) return out;
  for (const Member& member : map->Members()) {
    if (member.value.is_string()) out.emplace(member.name, member.value.AsString());
  }
  return out;
}

Labels LabelsOfPods(const Value& object) {
  return LabelsIn(object.FindPath({"spec", "template", "metadata", "labels"}));
}

}  // namespace

ReachFacts ReachFactsOf(const Value& before, const Value& after) {
  const bool is_service = after.StringOr("kind") == "Service" && after.StringOr("apiVersion") == "v1";
  return {.selector = is_service ? LabelsIn(after.FindPath({"spec", "selector"})) : Labels(),
          .pods_before = LabelsOfPods(before),
          .pods_after = LabelsOfPods(after)};
}

bool Selects(const Labels& selector, const Labels& pods) {
  return !selector.empty() && std::ranges::includes(pods, selector);
}

}  // namespace smp::explain
