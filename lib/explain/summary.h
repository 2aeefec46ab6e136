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

// Prints a report object by object. The caller can free the rows of the objects that were added (ForgetRows).
class SummaryPrinter {
 public:
  // Adds the next object of the report.
  void Add(const ObjectReport& object);

  // REQUIRES: the objects of the report begin with those that were added, in this order. Adds the others.
  std::string Print(const Report& report, Color color);

 private:
  std::string lines_;
  size_t added_ = 0;  // objects
};

std::string PrintSummary(const Report& report, Color color = Color::kNo);

}  // namespace smp::explain
