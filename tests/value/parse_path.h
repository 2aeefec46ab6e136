// Reads a path without wildcards.
#pragma once

#include <optional>
#include <string_view>

#include "value/path.h"

namespace smp {

inline Result<FieldPath> ParsePath(std::string_view text) {
  SMP_ASSIGN(const PathPattern pattern, ParsePathPattern(text));
  FieldPath path;
  for (const std::optional<PathStep>& step : pattern) {
    if (!step) return Error::InvalidArgument("the path has wildcards");
    path.push_back(*step);
  }
  return path;
}

}  // namespace smp
