// Prints a report as one line for each object that is not unchanged, and a last line with their numbers.
//
//   change    Deployment default/web: replicas, env (2), image (4 changes)
//   create    ConfigMap default/web-config
//
//   3 objects: 1 to create, 1 to change, 1 unchanged
#pragma once

#include <string>

#include "explain/report.h"
#include "explain/style.h"

namespace smp::explain {

std::string PrintSummary(const Report& report, Color color = Color::kNo);

}  // namespace smp::explain
