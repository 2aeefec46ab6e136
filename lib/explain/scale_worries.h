// Autoscalers that take Pods away from workloads of the input.
#pragma once

#include <cstdint>
#include <vector>

#include "explain/object_names.h"
#include "explain/worries.h"
#include "value/value.h"

namespace smp::explain {

// `before`: null if the object is new.
ScaleFacts ScaleFactsOf(const Value& before, const Value& after);

// Adds Worry::kScalesDown to an autoscaler that is new, or gets another maximum, and whose workload has more Pods.
void AddScalesDown(const Objects& objects, std::vector<FoundWorries>& out);

}  // namespace smp::explain
