// What the tests of lint share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "lint/lint.h"
#include "lint/print.h"

namespace smp::lint {

// Returns the report of one text, "f.yaml", or of several.
inline Report Linted(std::vector<std::pair<std::string, std::string>> texts, Options options = {}) {
  Linter linter(std::move(options));
  for (auto& [name, text] : texts) linter.Add(std::move(name), std::move(text));
  const Status checked = linter.Check({}, {1, 36});
  EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : ToString(checked.error()));
  return std::move(linter).Finish();
}

inline Report Linted(std::string_view text) { return Linted({{"f.yaml", std::string(text)}}); }

// Returns "3:5 error wrong-type spec.a" for each finding, without infos.
inline std::vector<std::string> Short(const Report& report, Severity least = Severity::kWarning) {
  std::vector<std::string> out;
  for (const Finding& finding : report.findings) {
    if (finding.severity > least) continue;
    out.push_back(StrCat(finding.line, ":", finding.column, " ", SeverityName(finding.severity), " ",
                         finding.rule->code, finding.path.empty() ? "" : " ", finding.path));
  }
  return out;
}

using Lines = std::vector<std::string>;

inline constexpr std::string_view kPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";
inline constexpr std::string_view kConfigMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n";

}  // namespace smp::lint
