// A case file: a comment, then named sections, each begun by a line `-- name --`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smp {

struct CaseFile {
  std::string comment;
  std::vector<std::pair<std::string, std::string>> sections;

  std::optional<std::string> Find(std::string_view name) const;
  void Set(std::string_view name, std::string text);  // no effect on sections that are not there
};

CaseFile ParseCaseFile(const std::string& text);
std::string PrintCaseFile(const CaseFile& file);

}  // namespace smp
