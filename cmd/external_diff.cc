#include "cmd/external_diff.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/interrupt.h"
#include "base/path_syntax.h"
#include "base/process.h"
#include "base/shell_words.h"
#include "base/strings.h"
#include "cmd/temporary_folder.h"
#include "explain/object_names.h"
#include "value/escape.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

constexpr const char* kVariable = "KUBECTL_EXTERNAL_DIFF";
constexpr std::string_view kLive = "live", kMerged = "merged";

// As kubectl names it: apps.v1.Deployment.default.web, v1.Namespace..shop.
std::string FileName(const explain::ObjectReport& object) {
  std::string name =
      Visible(StrCat(object.api_version, ".", explain::OwnKind(object), ".", object.name_space, ".", object.name),
              Newlines::kEscape);
  std::ranges::replace_if(name, std::not_fn(&IsOfFileName), '.');
  return name;
}

Status WriteState(const TemporaryFolder& folder, std::string_view side, const std::string& name, const Value& state) {
  if (state.is_null()) return Ok();
  return folder.Write(StrCat(side, "/", name), yaml::WriteVisibleYaml(state));
}

// Runs diff in the folder, so that the names that it prints are short.
Result<ProcessResult> RunDiff(const TemporaryFolder& folder) {
  return RunProcess({.argv = {"diff", "-u", "-N", "live", "merged"},
                     .folder = folder.path(),
                     .max_output_bytes = std::numeric_limits<size_t>::max(),
                     .timeout_ms = kNoTimeoutMs});
}

// Returns the user's program and its arguments.
Result<std::vector<std::string>> DiffCommand(const std::string& external, const TemporaryFolder& folder) {
  Result<std::vector<std::string>> words = ShellWords(external);
  if (!words.ok()) return Error::InvalidArgument(StrCat(kVariable, ": ", words.error().message));
  if (words->empty()) return Error::InvalidArgument(StrCat(kVariable, " names no program"));
  for (const std::string_view side : {kLive, kMerged}) words->push_back(folder.PathOf(side));
  return words;
}

Result<std::string> Compare(const TemporaryFolder& folder) {
  const std::string external = Environment(kVariable);
  ProcessResult done;
  if (external.empty()) {
    SMP_ASSIGN(done, RunDiff(folder));
  } else {
    SMP_ASSIGN(const std::vector<std::string> command, DiffCommand(external, folder));
    SMP_ASSIGN(done.exit_code, RunInTerminal(command, ProcessInterrupt()));
  }
  if (done.exit_code <= 1) return std::move(done.out);
  return Error::InvalidArgument(StrCat(external.empty() ? "diff" : external, " failed: exit status ", done.exit_code));
}

}  // namespace

Result<std::string> ShowDifferences(const explain::Report& report) {
  const SignalsInterrupt signals;  // so that the folder is removed
  SMP_ASSIGN(const TemporaryFolder folder, TemporaryFolder::Make("diff"));
  for (const std::string_view side : {kLive, kMerged}) SMP_TRY(folder.MakeFolder(side));
  bool any = false;
  for (const explain::ObjectReport& object : report.objects) {
    if (!object.states) continue;
    any = true;
    SMP_TRY(WriteState(folder, kLive, FileName(object), object.states->before));
    SMP_TRY(WriteState(folder, kMerged, FileName(object), object.states->after));
  }
  if (!any) return std::string();
  return Compare(folder);
}

}  // namespace smp::cmd
