// Safe fixes: the edits of findings, written into a text by the editor that keeps everything else. Proved: the new text says
// what the old one said and the edits.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lint/lint.h"

namespace smp::lint {

struct FixedFile {
  size_t file;
  std::string text;
};

// Makes the edits of the report's findings and marks those findings as fixed. Returns the new texts of the files that change.
// A document whose edits cannot be proved stays as it is.
std::vector<FixedFile> Fix(Report& report);

}  // namespace smp::lint
