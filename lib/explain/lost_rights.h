// Rights that somebody loses: a role that is divided in two, or renamed, takes none away.
#pragma once

#include <vector>

#include "explain/object_names.h"
#include "explain/rights.h"

namespace smp::explain {

// Returns what the role of each of the objects allowed and takes away, but for what other roles of the input give back to all who have
// the role by a binding of the input. Nothing is known of those whose bindings are elsewhere.
std::vector<Rights> LostRights(const Objects& objects);

}  // namespace smp::explain
