// The rules of lint, from rules.txt: codes, severities, and what the documentation says of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smp::lint {

// kError: the server refuses the object, or kubectl makes something else of it than it says. kWarning: it may not do what
// its author means. kInfo: worth knowing; also what lint could not check.
enum class Severity : uint8_t { kError, kWarning, kInfo };

std::string_view SeverityName(Severity severity);  // "error", "warning", "info"
std::optional<Severity> ParseSeverity(std::string_view name);

struct Rule {
  std::string_view code;  // as in `# smp:ignore duplicate-key`
  Severity severity = Severity::kError;
  std::string_view meaning;  // one paragraph
  // An example: files with their names (web.yaml; live.yaml for what --live reads; patch.yaml for --patch), the flags that it
  // needs, and the lines that lint prints for this rule, without the name of the file. tests/cmd/lint_test.cc runs it.
  struct File {
    std::string_view name, text;
  };
  std::vector<File> files = {};
  std::string_view flags = {};
  std::string_view shows = {};
};

// In the order of the file.
const std::vector<Rule>& Rules();

// Returns nullptr if there is no such rule.
const Rule* FindRule(std::string_view code);

// Returns the lines of a rule's example.
std::vector<std::string> LinesOfExample(const Rule& rule);

}  // namespace smp::lint
