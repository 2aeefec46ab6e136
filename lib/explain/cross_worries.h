// What there is to worry about in an object that only other objects of the input tell.
#pragma once

#include <vector>

#include "explain/object_names.h"
#include "explain/worries.h"

namespace smp::explain {

// Returns the worries of each of the objects, in their order. None of them is known of an object alone (WorriesOf).
std::vector<FoundWorries> CrossWorries(const Objects& objects);

}  // namespace smp::explain
