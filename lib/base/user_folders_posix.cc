#include "base/environment.h"
#include "base/strings.h"
#include "base/user_folders.h"

namespace smp {

namespace {

// Returns the environment variable's value if it is an absolute path, else "".
std::filesystem::path FolderIn(const char* variable) {
  const std::string folder = Environment(variable);
  return folder.starts_with('/') ? folder : "";
}

}  // namespace

std::string HomeFolder() { return Environment("HOME"); }

std::string InHome(const std::string& path) {
  const std::string home = HomeFolder();
  return home.empty() ? "" : StrCat(home, "/", path);
}

std::filesystem::path StateFolder() {
  if (const std::filesystem::path state = FolderIn("XDG_STATE_HOME"); !state.empty()) return state / "kubectl-smp";
  const std::filesystem::path home = FolderIn("HOME");
  return home.empty() ? home : home / ".local/state/kubectl-smp";
}

std::string TemporaryRoot() {
  const std::filesystem::path temporary = FolderIn("TMPDIR");
  return temporary.empty() ? "/tmp" : temporary.string();
}

}  // namespace smp
