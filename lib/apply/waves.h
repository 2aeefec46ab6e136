// The order in which the objects of an input are applied: dependencies first, regardless of their position. Differs
// from kubectl: it applies them in input order, and fails if a dependency comes later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp::apply {

enum class Order {
  kWaves,  // step by step as in WaveOf; within a step in no particular order
  kInput,  // one object after the other, like kubectl
};

// Returns 0 for containers, types and classes of objects (Namespace, CustomResourceDefinition, StorageClass), 1 for
// what others refer to, 2 for bindings, 3 for everything else, 4 for kinds that a CRD of the input defines, 5 for what the
// API server calls (webhooks, APIService), 6 for kinds of an APIService of the input.
int WaveOf(const GroupVersionKind& gvk, const InputDefinitions& definitions = {});

// The objects of one step, as indexes into Manifests::items, in input order.
using Step = std::vector<size_t>;

// Returns the steps, with all manifests that could be read. An object that occurs twice is in two steps, in input
// order. `name_space`: for manifests without one.
std::vector<Step> StepsOf(const Manifests& manifests, Order order, const std::string& name_space,
                          const InputDefinitions& definitions = {});

}  // namespace smp::apply
