#include "lint/invalid.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lint/lint.h"
#include "value/json.h"

namespace smp::lint {

namespace {

// The rules whose errors the server's validation says, too.
bool IsOfValidation(const Finding& finding) {
  constexpr std::string_view kCodes[] = {"missing-field", "invalid-quantity", "invalid-time",   "invalid-name",
                                         "invalid-label", "invalid-port",     "invalid-choice", "out-of-range"};
  return finding.severity == Severity::kError && std::ranges::find(kCodes, finding.rule->code) != std::end(kCodes);
}

// Returns true for the metadata of the Jobs of a CronJob, and of the claims of a StatefulSet: the server looks at it when these are made.
bool IsOfWhatIsMade(std::string_view path) {
  const bool of_claim =
      path.starts_with("spec.volumeClaimTemplates[") && path.substr(path.find(']')).starts_with("].metadata.");
  return of_claim || path.starts_with("spec.jobTemplate.metadata.");
}

}  // namespace

std::vector<Finding> InvalidValues(const Document& object, const Release& release) {
  Linter linter({});
  linter.Add("object.json", WriteJson(object.root()));
  if (!linter.Check({}, release).ok()) return {};
  if (linter.objects().size() != 1 || linter.objects().front().kind->is_custom()) return {};
  std::vector<Finding> findings = std::move(linter).Finish().findings;
  std::erase_if(findings,
                [](const Finding& finding) { return !IsOfValidation(finding) || IsOfWhatIsMade(finding.path); });
  return findings;
}

}  // namespace smp::lint
