#include "pull/git.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
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

// Settings by which git runs no other program and hides no change. Those of filters depend on their names.
const Settings& Harmless() {
  static const Settings settings = {
      "safe.bareRepository=explicit",  // files of a clone may look like one, with a config of its own
      "core.fsmonitor=false",         "core.hooksPath=/dev/null", "core.pager=cat",
      "core.untrackedCache=false",    "core.checkStat=default",   "core.trustctime=true",
      "log.showSignature=false",      "protocol.allow=never",     "status.submoduleSummary=0"};
  return settings;
}

// Variables that lead git to another repository, or that change what names of files mean. Hooks have them.
const std::vector<std::string>& Misleading() {
  static const std::vector<std::string> names = {"GIT_DIR",
                                                 "GIT_WORK_TREE",
                                                 "GIT_COMMON_DIR",
                                                 "GIT_INDEX_FILE",
                                                 "GIT_NAMESPACE",
                                                 "GIT_OBJECT_DIRECTORY",
                                                 "GIT_PREFIX",
                                                 "GIT_GRAFT_FILE",
                                                 "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                 "GIT_SHALLOW_FILE",
                                                 "GIT_CONFIG",
                                                 "GIT_IMPLICIT_WORK_TREE",
                                                 "GIT_ICASE_PATHSPECS",
                                                 "GIT_GLOB_PATHSPECS",
                                                 "GIT_NOGLOB_PATHSPECS",
                                                 "GIT_LITERAL_PATHSPECS"};
  return names;
}

// Runs git in the folder. Errors as of RunProcess.
Result<ProcessResult> Git(const fs::path& folder, const std::vector<std::string>& words, const Settings& settings) {
  std::vector<std::string> argv = {"git", "-C", folder.string()};
  for (const std::string& setting : settings) argv.insert(argv.end(), {"-c", setting});
  argv.insert(argv.end(), words.begin(), words.end());
  return RunProcess({.argv = std::move(argv),
                     .environment = {{"GIT_OPTIONAL_LOCKS", "0"},
                                     {"GIT_NO_LAZY_FETCH", "1"},      // newer ones
                                     {"GIT_ALLOW_PROTOCOL", "none"},  // older ones
                                     {"GIT_TERMINAL_PROMPT", "0"},
                                     {"LC_ALL", "C"},
                                     {"LANGUAGE", "C"}},
                     .removed_variables = Misleading(),
                     .errors = ChildErrors::kCapture});
}

// Returns the folder, or the next one around it, that has a .git; nullopt if there is none.
std::optional<fs::path> FolderWithGit(fs::path folder) {
  std::error_code unknown;
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (fs::symlink_status(folder / ".git", unknown).type() != fs::file_type::not_found) return folder;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool IsOutside(const fs::path& folder, const ProcessResult& done) {
  const bool says_so = done.err.find("not a git repository (or any ") != std::string::npos ||
                       done.err.find("must be run in a work tree") != std::string::npos;
  return says_so && !FolderWithGit(folder);  // else its repository is damaged
}

Error Failed(const fs::path& folder, std::string_view words) {
  return Error::Refused(StrCat("git cannot tell if the files in ", folder.string(), " have uncommitted changes: ",
                               Trim(words.substr(0, words.find('\n'))), "; nothing was written; use --force"));
}

// Returns what git prints; nullopt without git, or outside of a work tree. Error: refused, if it fails for another reason.
Result<std::optional<std::string>> Asked(const fs::path& folder, const std::vector<std::string>& words,
                                         const Settings& settings) {
  const auto done = Git(folder, words, settings);
  if (!done.ok() && done.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  if (!done.ok()) return Failed(folder, done.error().message);
  if (done->exit_code == 0) return std::optional(done->out);
  if (IsOutside(folder, *done)) return std::optional<std::string>();
  return Failed(folder, done->err);
}

// Returns the harmless settings, with which the filters that the repository configures do nothing either. Error: refused, if
// a filter has a name that cannot be given on a command line.
Result<Settings> SettingsFor(const fs::path& folder) {
  Settings out = Harmless();
  SMP_ASSIGN(const auto all, Asked(folder, {"config", "--null", "--name-only", "--list"}, Harmless()));
  const std::string listed = all.value_or("");
  for (const std::string_view name : Split(listed, '\0')) {
    if (!name.starts_with("filter.")) continue;
    if (name.find('=') != std::string_view::npos) return Failed(folder, StrCat("it has the filter ", name));
    out.push_back(StrCat(name, "=", name.ends_with(".required") ? "false" : ""));
  }
  return out;
}

// What git is to look at.
struct InFolder {
  const fs::path& folder;
  const Settings& settings;

  // Returns what git prints of the files; nullopt if it knows no work tree.
  Result<std::optional<std::string>> Ask(std::vector<std::string> words, const std::vector<std::string>& names) const {
    words.emplace_back("--");
    for (const std::string& name : names) words.push_back(StrCat(":(literal)", name));
    return Asked(folder, words, settings);
  }

  Result<std::optional<std::string>> Status(const std::vector<std::string>& names) const {
    return Ask({"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"}, names);
  }
};

// Returns those of the files that git tracks and compares: an index may say of a file that it counts as unchanged.
Result<std::set<std::string>> Compared(const InFolder& in, const std::vector<std::string>& names) {
  SMP_ASSIGN(const auto all, in.Ask({"ls-files", "-v", "-z"}, names));
  const std::string listed = all.value_or("");
  std::set<std::string> out;
  for (const std::string_view entry : Split(listed, '\0')) {
    if (entry.starts_with("H ")) out.emplace(entry.substr(2));
  }
  return out;
}

// A repository's configuration may name another folder as its work tree, whose files git would look at instead.
Status CheckWorkTree(const InFolder& in) {
  SMP_ASSIGN(const auto printed, Asked(in.folder, {"rev-parse", "--show-toplevel"}, in.settings));
  const fs::path top = Absolute(std::string(Trim(printed.value_or(""))));
  if (printed && IsBelow(in.folder, top)) return Ok();
  return Failed(in.folder, StrCat("the work tree of its repository is ", top.string()));
}

Status AddUncommitted(const fs::path& folder, const std::vector<std::string>& files, std::vector<std::string>& out) {
  SMP_ASSIGN(const Settings settings, SettingsFor(folder));
  const InFolder in = {folder, settings};
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(Absolute(file).filename().string());
  SMP_ASSIGN(const std::optional<std::string> all, in.Status(names));
  if (!all) return Ok();
  SMP_TRY(CheckWorkTree(in));
  SMP_ASSIGN(const std::set<std::string> compared, Compared(in, names));
  for (size_t i = 0; i < names.size(); ++i) {
    bool clean = compared.contains(names[i]);
    if (clean && !all->empty()) {  // rarely: one call for many files tells
      SMP_ASSIGN(const std::optional<std::string> one, in.Status({names[i]}));
      clean = one && one->empty();
    }
    if (!clean) out.push_back(files[i]);
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

Status CheckLeadsNotOut(const std::string& file) {
  const fs::path named = fs::absolute(file).lexically_normal(), real = Absolute(file);
  const std::optional<fs::path> repository = FolderWithGit(named.parent_path());
  const fs::path around = Absolute(repository.value_or(named.parent_path()).string());
  if (IsBelow(real, around)) return Ok();
  return Error::Refused(StrCat(file, " is a link to ", real.string(), ", outside of ", around.string()));
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
  return path.lexically_proximate(base).generic_string();
}

}  // namespace smp::pull
