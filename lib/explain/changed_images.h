// The images that a row changes.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "explain/report.h"

namespace smp::explain {

// Returns the images before and after: of a container, in the value of a variable or of a ConfigMap's key, and among the arguments of a
// program. What a row adds or removes is no change.
std::vector<std::pair<std::string_view, std::string_view>> ChangedImages(const ReportRow& row);

// A container that goes, and one that comes with an image of the same name: most likely it is the same one.
struct RenamedContainer {
  std::string_view old_name, new_name, old_image, new_image;
};
// The result points into the rows.
std::vector<RenamedContainer> RenamedContainers(const std::vector<ReportRow>& rows);

}  // namespace smp::explain
