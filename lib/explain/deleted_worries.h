// Which objects that are not in the cluster may have been deleted there, and what tells them from new ones.
#pragma once

#include <vector>

#include "explain/object_names.h"
#include "explain/worries.h"

namespace smp::explain {

// Returns the Services that select Pods.
Objects ServicesOf(const Objects& objects);

// Returns true for an object of the input that is in the cluster.
bool Exists(const ObjectReport& object);

// Returns true if the input was applied before: people often create a namespace, and install definitions, for a first installation.
bool IsUpgrade(const Objects& objects);
bool IsUpgrade(const Report& report);

// Adds Worry::kSeemsDeleted or, where nothing tells a deleted object from a new one, Worry::kMayBeDeleted. `out`: the worries of
// the objects, in their order.
void AddMayBeDeleted(const Objects& objects, std::vector<FoundWorries>& out);

}  // namespace smp::explain
