// Rights that somebody loses: a role that is divided in two, or renamed, takes none away.
#pragma once

#include <vector>

#include "explain/object_names.h"
#include "explain/rights.h"

namespace smp::explain {

// Returns what the role of each of the objects allowed and takes away, but for what other roles of the input give back to all who have
// the role by a binding of the input. Nothing is known of those whose bindings are elsewhere.
std::vector<Rights> LostRights(const Objects& objects);

// Removes from AccessFacts::lost_by who has the same role by another binding of the input, or all that it allows by other roles.
void ForgetRegranted(Report& report);

// Sets AccessFacts::lost_by_running: workloads that apply leaves (Report::left), or that are refused.
void NoteWhoLosesRoles(Report& report);

}  // namespace smp::explain
