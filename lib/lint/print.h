// Prints a report: for people, for programs, for code scanning (SARIF 2.1.0) and as annotations of a workflow. Everything
// that a file or the server says is escaped; lines of Secrets are not shown.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lint/lint.h"
#include "value/document.h"

namespace smp::lint {

struct TextStyle {
  Severity least = Severity::kWarning;  // findings below are only counted
  bool fold = true;                     // show only the first findings of a rule that has many in a file
  // Returns a part of a line with its color. Empty: none.
  std::function<std::string(Severity severity, std::string_view text)> color = {};
};

// Returns four lines for each finding: place and message, the line of the file, what to do, and the field.
std::string PrintText(const Report& report, const TextStyle& style);

// Version 1 of a format that contracts.md describes.
Document ToJson(const Report& report);

// `version`: of this program.
Document ToSarif(const Report& report, std::string_view version);

// Returns a command on each line: errors, then warnings, then notices of infos.
std::string PrintGithub(const Report& report, Severity least);

// Returns "2 errors, 1 warning" and what else there is to know of all.
std::string Summary(const Report& report, Severity least);

}  // namespace smp::lint
