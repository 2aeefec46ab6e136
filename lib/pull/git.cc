#include "pull/git.h"

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

// Returns what git prints in the folder; "" if it fails.
std::string Git(const fs::path& folder, std::vector<std::string> words) {
  std::vector<std::string> argv = {"git", "-C", folder.string()};
  std::move(words.begin(), words.end(), std::back_inserter(argv));
  const auto done = RunProcess(
      {.argv = std::move(argv), .environment = {{"GIT_OPTIONAL_LOCKS", "0"}}, .errors = ChildErrors::kCapture});
  return done.ok() && done->exit_code == 0 ? done->out : std::string();
}

std::string StatusOf(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<std::string> words = {"status", "--porcelain", "--"};
  for (const std::string& name : names) words.push_back(StrCat(":(literal)", name));
  return Git(folder, std::move(words));
}

}  // namespace

std::vector<std::string> Uncommitted(const std::vector<std::string>& files) {
  std::map<fs::path, std::vector<std::string>> by_folder;
  for (const std::string& file : files) by_folder[Absolute(file).parent_path()].push_back(file);
  std::vector<std::string> out;
  for (const auto& [folder, in_folder] : by_folder) {
    std::vector<std::string> names;
    for (const std::string& file : in_folder) names.push_back(Absolute(file).filename().string());
    if (StatusOf(folder, names).empty()) continue;  // mostly: one call for many files
    for (size_t i = 0; i < names.size(); ++i) {
      if (!StatusOf(folder, {names[i]}).empty()) out.push_back(in_folder[i]);
    }
  }
  return out;
}

std::string NameForGit(const std::string& file) {
  const fs::path path = Absolute(file);
  const std::string top(Trim(Git(path.parent_path(), {"rev-parse", "--show-toplevel"})));
  std::error_code unknown;
  const fs::path base = top.empty() ? fs::current_path(unknown) : fs::path(top);
  return path.lexically_proximate(base).string();
}

}  // namespace smp::pull
