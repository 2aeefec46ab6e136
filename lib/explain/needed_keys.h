// Keys of ConfigMaps and Secrets without which Pods do not start.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explain/object_names.h"
#include "explain/worries.h"
#include "value/value.h"

namespace smp::explain {

// Adds Worry::kKeysNeeded to a ConfigMap or Secret that loses keys which workloads of the input need. What starts Pods only once, a
// Job, does not count.
void AddLostKeys(const Objects& objects, std::vector<FoundWorries>& out);

// Adds to PodFacts::missing the keys that new Pods need, and the input's ConfigMap or Secret will not have.
void FindMissingKeys(Report& report);

}  // namespace smp::explain
