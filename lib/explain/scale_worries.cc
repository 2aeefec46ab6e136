#include "explain/scale_worries.h"

#include <algorithm>
#include <string>

#include "base/name_some.h"
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

// Returns "Deployment web 9 → 5"; "" if it has no more.
std::string LessOf(const ObjectReport& workload, const ObjectReport& scaler) {
  const bool is_target =
      workload.name_space == scaler.name_space && StrCat(workload.kind, " ", workload.name) == scaler.reach.target;
  if (!is_target || workload.action == Action::kPrune || workload.action == Action::kCreate) return {};
  const bool stays = workload.action == Action::kError;
  const int64_t replicas = stays ? workload.scale.replicas_before : workload.scale.replicas;
  return replicas > scaler.scale.most ? StrCat(scaler.reach.target, " ", replicas, " → ", scaler.scale.most) : "";
}

}  // namespace

ScaleFacts ScaleFactsOf(const Value& before, const Value& after) {
  return {.replicas_before = NumberIn(before, "replicas"),
          .replicas = NumberIn(after, "replicas"),
          .most_before = NumberIn(before, "maxReplicas"),
          .most = NumberIn(after, "maxReplicas")};
}

void AddScalesDown(const Objects& objects, std::vector<FoundWorries>& out) {
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!GetsAMaximum(*objects[i])) continue;
    NamesOnce less;
    for (const ObjectReport* workload : objects) {
      if (std::string words = LessOf(*workload, *objects[i]); !words.empty()) less.Add(std::move(words));
    }
    if (!less.empty()) out[i][Worry::kScalesDown] = NameInBoth(less, kMostTold);
  }
}

}  // namespace smp::explain
