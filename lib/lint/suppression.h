// Comments of a manifest that suppress findings:
//
//   value: on   # smp:ignore yaml-versions        on this line
//   # smp:ignore wrong-type, unknown-field: why   on the entry below, and everything in it
//   # smp:ignore-object unknown-field             in the object, above which or in which it is
//   # smp:ignore-file                             in the file; without codes, every rule
#pragma once

#include <vector>

#include "lint/finding.h"

namespace smp::lint {

struct Report;

// Sets the findings of the report: `all` but for those that a comment suppresses, and what is wrong with such comments.
void Suppress(Report& report, std::vector<Finding> all);

}  // namespace smp::lint
