#include "explain/needed_keys.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/name_some.h"
#include "base/strings.h"

namespace smp::explain {

namespace {

bool LosesKeys(const ObjectReport& object) {
  const bool changes = object.action == Action::kChange || object.action == Action::kRecreate;
  return changes && !object.compared && !std::ranges::includes(object.keys_after, object.keys_before);
}

bool StartsAgain(const ObjectReport& object) {
  const bool exists = object.action != Action::kCreate && object.action != Action::kPrune;
  return exists && object.kind != "Job";
}

// The workloads that need a key, by the key.
using WorkloadsByKey = std::map<std::string, Objects>;

WorkloadsByKey WhoNeeds(const ObjectReport& setting, const std::map<ObjectName, WorkloadsByKey>& needed) {
  const auto at = needed.find(NameOfObject(setting));
  WorkloadsByKey out = at == needed.end() ? WorkloadsByKey() : at->second;
  std::erase_if(out, [&](const auto& entry) {
    return !setting.keys_before.contains(entry.first) || setting.keys_after.contains(entry.first);
  });
  return out;
}

}  // namespace

void AddLostKeys(const Objects& objects, std::vector<FoundWorries>& out) {
  if (std::ranges::none_of(objects, [](const ObjectReport* object) { return LosesKeys(*object); })) return;
  std::map<ObjectName, WorkloadsByKey> needed;
  for (const ObjectReport* object : objects) {
    if (!StartsAgain(*object)) continue;
    const bool stays = object->action == Action::kError;
    for (const NeededObject& need : stays ? object->keys_needed_now : object->keys_needed) {
      needed[NameOfNeed(need, *object)][need.key].push_back(object);
    }
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!LosesKeys(*objects[i])) continue;
    NamesOnce names;
    for (const auto& [key, by] : WhoNeeds(*objects[i], needed)) {
      names.Add(StrCat(key, ": ", NamesByKind(by, kMostBrief)));
    }
    if (!names.empty()) out[i][Worry::kKeysNeeded] = NameInBoth(names, kMostTold);
  }
}

void FindMissingKeys(Report& report) {
  std::map<ObjectName, std::set<std::string>> keys;  // also those that go, which AddLostKeys tells
  for (const ObjectReport& object : report.objects) {
    if (object.action == Action::kPrune || object.keys_after.empty()) continue;
    std::set<std::string>& known = keys[NameOfObject(object)] = object.keys_before;
    if (object.action != Action::kError) known.insert(object.keys_after.begin(), object.keys_after.end());
  }
  for (ObjectReport& object : report.objects) {
    const bool will_start = object.starts_pods() || !object.pods_stay.empty();
    if (!will_start || keys.empty()) continue;
    for (const NeededObject& need : object.keys_needed) {
      const auto at = keys.find(NameOfNeed(need, object));
      std::vector<NeededObject>& missing = object.pods.missing;
      const bool is_told = std::ranges::find(missing, need) != missing.end();
      if (at != keys.end() && !at->second.contains(need.key) && !is_told) missing.push_back(need);
    }
  }
}

}  // namespace smp::explain
