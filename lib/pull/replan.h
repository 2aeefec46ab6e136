// Replan: the second proof of what is written. The edited manifest is planned again, as any manifest is, against the same live
// object. What was taken must be gone from the plan, everything else must still be in it, and nothing may be new.
#pragma once

#include <string>
#include <vector>

#include "explain/report.h"
#include "pull/choice.h"

namespace smp::pull {

// Returns why the edited manifest does not say what live is where it was changed, or says something else elsewhere; "" if
// neither. `before`, `after`: the reports of both manifests, with what only live has. `written`: the changes.
std::string WhyUnsettled(const explain::ObjectReport& before, const explain::ObjectReport& after,
                         const std::vector<const Change*>& written);

}  // namespace smp::pull
