// What there is to worry about in the rights that change.
#pragma once

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds the rights that a Role gets, if whoever has them has others by them. `row`: of its rules.
void AddRightsWorries(const ReportRow& row, FoundWorries& out);

// Returns "get, list pods; * secrets"; in brief "get, list pods; read, write secrets".
WorryWords LostInWords(const Rights& lost);

}  // namespace smp::explain
