#include "explain/scale_worries.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "value/at.h"

namespace smp::explain {

namespace {

// Returns 0 if the object has no such number.
int64_t NumberIn(const Value& object, std::string_view field) {
  return object.is_object() ? IntAt(object, {"spec", field}) : 0;
}

bool GetsAMaximum(const ObjectReport& scaler) {
  const bool is_written = scaler.action == Action::kCreate || scaler.action == Action::kChange;
  return is_written && !scaler.compared && !scaler.reach.target.empty() && scaler.scale.most > 0 &&
         scaler.scale.most != scaler.scale.most_before;
}

// The Pods of each workload that exists, by its namespace and "Deployment web".
using PodsByTarget = std::map<std::pair<std::string_view, std::string>, int64_t>;

PodsByTarget PodsOf(const Objects& objects) {
  PodsByTarget out;
  for (const ObjectReport* object : objects) {
    const bool stays = object->action == Action::kError;
    const int64_t replicas = stays ? object->scale.replicas_before : object->scale.replicas;
    if (replicas == 0 || object->action == Action::kPrune || object->action == Action::kCreate) continue;
    out.emplace(std::pair(std::string_view(object->name_space), StrCat(object->kind, " ", object->name)), replicas);
  }
  return out;
}

}  // namespace

ScaleFacts ScaleFactsOf(const Value& before, const Value& after) {
  return {.replicas_before = NumberIn(before, "replicas"),
          .replicas = NumberIn(after, "replicas"),
          .most_before = NumberIn(before, "maxReplicas"),
          .most = NumberIn(after, "maxReplicas"),
          .stops = NumberIn(before, "replicas") > 0 && IntAt(after, {"spec", "replicas"}, 1) == 0};
}

void AddScalesDown(const Objects& objects, std::vector<FoundWorries>& out) {
  if (std::ranges::none_of(objects, [](const ObjectReport* object) { return GetsAMaximum(*object); })) return;
  const PodsByTarget pods = PodsOf(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& scaler = *objects[i];
    const auto at = pods.find({scaler.name_space, scaler.reach.target});
    if (!GetsAMaximum(scaler) || at == pods.end() || at->second <= scaler.scale.most) continue;
    const std::string less = StrCat(scaler.reach.target, " ", at->second, " → ", scaler.scale.most);
    out[i][Worry::kScalesDown] = NameInBoth(std::vector{less}, kMostTold);
  }
}

}  // namespace smp::explain
