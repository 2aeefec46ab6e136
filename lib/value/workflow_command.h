// Workflow commands of GitHub Actions, which become annotations at lines of files.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

struct Annotation {
  std::string_view level;  // "error", "warning", "notice"
  Source source;           // left out unless it is a file of the repository
  int column = 0;          // 0: unknown
  std::string title;
  std::string_view text;
};

// Returns the command, with its line end.
std::string WorkflowCommand(const Annotation& annotation);

}  // namespace smp
