// Copies of a Secret's values in its other fields.
#pragma once

#include <vector>

#include "explain/report.h"
#include "value/value.h"

namespace smp::explain {

// Masks copies of values of a Secret in its other fields. `states`: the manifest, live, the server's answer.
void MaskCopies(ObjectReport& report, const std::vector<const Value*>& states, const ReportOptions& options);

}  // namespace smp::explain
