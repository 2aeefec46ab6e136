// What there is to worry about in the rights that change.
#pragma once

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds the rights that a Role loses, and those that it gets if whoever has them has others by them. `row`: of its rules.
void AddRightsWorries(const ReportRow& row, FoundWorries& out);

}  // namespace smp::explain
