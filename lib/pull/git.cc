#include "pull/git.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

#include "base/process.h"
#include "base/strings.h"

namespace smp::pull {

namespace {

namespace fs = std::filesystem;

fs::path Absolute(const std::string& file) {
  std::error_code unknown;
  const fs::path real = fs::canonical(file, unknown);  // git names what a link leads to
  return unknown ? fs::absolute(file) : real;
}

using Settings = std::vector<std::string>;  // NAME=VALUE

// Settings by which git runs no other program. Those of filters depend on their names.
const Settings& Harmless() {
  static const Settings settings = {"core.fsmonitor=false",     "core.hooksPath=/dev/null", "core.pager=cat",
                                    "log.showSignature=false",  "protocol.allow=never",     "core.untrackedCache=false",
                                    "status.submoduleSummary=0"};
  return settings;
}

// Runs git in the folder. Errors as of RunProcess.
Result<ProcessResult> Git(const fs::path& folder, const std::vector<std::string>& words, const Settings& settings) {
  std::vector<std::string> argv = {"git", "-C", folder.string()};
  for (const std::string& setting : settings) argv.insert(argv.end(), {"-c", setting});
  argv.insert(argv.end(), words.begin(), words.end());
  return RunProcess({.argv = std::move(argv),
                     .environment = {{"GIT_OPTIONAL_LOCKS", "0"},
                                     {"GIT_NO_LAZY_FETCH", "1"},
                                     {"GIT_TERMINAL_PROMPT", "0"},
                                     {"LC_ALL", "C"},
                                     {"LANGUAGE", "C"}},
                     .errors = ChildErrors::kCapture});
}

bool IsOutside(const ProcessResult& done) {
  return done.err.find("not a git repository") != std::string::npos ||
         done.err.find("must be run in a work tree") != std::string::npos;
}

Error Failed(const fs::path& folder, std::string_view words) {
  return Error::Refused(StrCat("git cannot tell if the files in ", folder.string(), " have uncommitted changes: ",
                               Trim(words.substr(0, words.find('\n'))), "; nothing was written; use --force"));
}

// Returns the harmless settings, with which the filters that the repository configures do nothing either. Error: refused, if
// a filter has a name that cannot be given on a command line.
Result<Settings> SettingsFor(const fs::path& folder) {
  Settings out = Harmless();
  const auto found = Git(
      folder, {"config", "--null", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|smudge|process|required)$"},
      Harmless());
  if (!found.ok() || found->exit_code != 0) return out;  // none
  for (const std::string_view name : Split(found->out, '\0')) {
    if (name.find('=') != std::string_view::npos) return Failed(folder, StrCat("it has the filter ", name));
    if (!name.empty()) out.push_back(StrCat(name, "=", name.ends_with(".required") ? "false" : ""));
  }
  return out;
}

// Returns nullopt without git, or outside of a work tree.
Result<std::optional<std::string>> StatusOf(const fs::path& folder, const std::vector<std::string>& names,
                                            const Settings& settings) {
  std::vector<std::string> words = {"status", "--porcelain", "--ignore-submodules=all", "--no-renames", "--"};
  for (const std::string& name : names) words.push_back(StrCat(":(literal)", name));
  const auto done = Git(folder, words, settings);
  if (!done.ok() && done.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  if (!done.ok()) return Failed(folder, done.error().message);
  if (done->exit_code == 0) return std::optional(done->out);
  if (IsOutside(*done)) return std::optional<std::string>();
  return Failed(folder, done->err);
}

Status AddUncommitted(const fs::path& folder, const std::vector<std::string>& files, std::vector<std::string>& out) {
  SMP_ASSIGN(const Settings settings, SettingsFor(folder));
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(Absolute(file).filename().string());
  SMP_ASSIGN(const std::optional<std::string> all, StatusOf(folder, names, settings));
  if (!all || all->empty()) return Ok();  // mostly: one call for many files
  for (size_t i = 0; i < names.size(); ++i) {
    SMP_ASSIGN(const std::optional<std::string> one, StatusOf(folder, {names[i]}, settings));
    if (one && !one->empty()) out.push_back(files[i]);
  }
  return Ok();
}

// Returns what git prints; "" if it fails.
std::string Printed(const fs::path& folder, const std::vector<std::string>& words) {
  const auto done = Git(folder, words, Harmless());
  return done.ok() && done->exit_code == 0 ? std::string(Trim(done->out)) : std::string();
}

}  // namespace

Result<std::vector<std::string>> Uncommitted(const std::vector<std::string>& files) {
  std::map<fs::path, std::vector<std::string>> by_folder;
  for (const std::string& file : files) by_folder[Absolute(file).parent_path()].push_back(file);
  std::vector<std::string> out;
  for (const auto& [folder, in_folder] : by_folder) SMP_TRY(AddUncommitted(folder, in_folder, out));
  return out;
}

std::optional<std::chrono::sys_seconds> LastCommitOf(const std::string& file) {
  const auto changed = Uncommitted({file});
  if (!changed.ok() || !changed->empty()) return std::nullopt;
  const fs::path path = Absolute(file);
  const std::string text =
      Printed(path.parent_path(), {"log", "-1", "--format=%ct", "--", StrCat(":(literal)", path.filename().string())});
  int64_t seconds = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(seconds));
}

std::string NameForGit(const std::string& file) {
  const fs::path path = Absolute(file);
  const std::string top = Printed(path.parent_path(), {"rev-parse", "--show-toplevel"});
  std::error_code unknown;
  const fs::path base = top.empty() ? fs::current_path(unknown) : fs::path(top);
  return path.lexically_proximate(base).string();
}

}  // namespace smp::pull
