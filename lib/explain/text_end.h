// The last lines of the text: what changes, what to look at before an apply, and how much it is.
#pragma once

#include <string>

#include "explain/report.h"
#include "explain/shown_object.h"
#include "explain/text.h"

namespace smp::explain {

// Returns the number of objects, and what happens with them.
std::string PrintCount(const Report& report, const TextOptions& options);

// Returns the lines before the count, so short that they fit one screen with it if that is possible. With --wide, all names.
std::string PrintEnd(const Report& report, const ShownList& all, const TextOptions& options);

// Returns who applied the objects last whose blocks do not say it.
std::string LastAppliedOfOthers(const ShownList& all);

}  // namespace smp::explain
