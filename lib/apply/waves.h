// In which order the objects of an input are applied: what others need comes first, whatever its place in the input.
// Differs from kubectl: it takes them as they stand there, so that what comes too late fails.
#ifndef SMP_APPLY_WAVES_H_
#define SMP_APPLY_WAVES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp {

enum class Order {
  kWaves,  // step by step as WaveOf says; within a step nothing is said about the order
  kInput,  // one object after the other, as kubectl
};

// 0: what others live in or are made of (Namespace, CustomResourceDefinition, the classes), 1: what they refer to,
// 2: bindings, 3: everything else, 4: what the API server itself asks (webhooks, APIService).
int WaveOf(const GroupVersionKind& gvk);

// One step's objects, as indexes of Manifests::items, in input order.
using Step = std::vector<size_t>;

// All that can be read, step by step. An object that stands in the input twice is applied twice, in two steps, in input
// order. `name_space`: of manifests that name none.
std::vector<Step> StepsOf(const Manifests& manifests, Order order, const std::string& name_space);

}  // namespace smp

#endif  // SMP_APPLY_WAVES_H_
