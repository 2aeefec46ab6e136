// The order in which the objects of an input are applied: what others need comes first, whatever its position. Differs
// from kubectl: it applies them in input order, and fails for an object whose dependency comes later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp::apply {

enum class Order {
  kWaves,  // step by step as in WaveOf; within a step in no particular order
  kInput,  // one object after the other, like kubectl
};

// Returns 0 for what others live in or are made of (Namespace, CustomResourceDefinition, the classes), 1 for what they
// refer to, 2 for bindings, 3 for everything else, 4 for what the API server itself calls (webhooks, APIService).
int WaveOf(const GroupVersionKind& gvk);

// The objects of one step, as indexes into Manifests::items, in input order.
using Step = std::vector<size_t>;

// Returns all readable manifests, step by step. A duplicate object is applied twice, in two steps, in input order.
// `name_space`: for manifests that name none.
std::vector<Step> StepsOf(const Manifests& manifests, Order order, const std::string& name_space);

}  // namespace smp::apply
