#include <array>
#include <system_error>

#include "base/environment.h"
#include "base/strings.h"
#include "base/user_folders.h"
#include "base/windows_api.h"

namespace smp {

namespace {

namespace fs = std::filesystem;

std::string HomeOnDrive() {
  const std::string drive = Environment("HOMEDRIVE"), path = Environment("HOMEPATH");
  return drive.empty() || path.empty() ? "" : drive + path;
}

}  // namespace

// client-go's homedir.HomeDir: the first that has a kubeconfig, else the first that exists, else the first that is set.
std::string HomeFolder() {
  const std::string home = Environment("HOME"), on_drive = HomeOnDrive(), profile = Environment("USERPROFILE");
  std::error_code none;
  for (const std::string& folder : {home, on_drive, profile}) {
    if (!folder.empty() && fs::exists(fs::path(folder) / ".kube" / "config", none)) return folder;
  }
  for (const std::string& folder : {home, profile, on_drive}) {
    if (!folder.empty() && fs::exists(folder, none)) return folder;
  }
  for (const std::string& folder : {home, profile, on_drive}) {
    if (!folder.empty()) return folder;
  }
  return {};
}

std::string InHome(const std::string& path) {
  const std::string home = HomeFolder();
  return home.empty() ? "" : (fs::path(home) / fs::path(path).make_preferred()).string();
}

fs::path StateFolder() {
  const fs::path local = Environment("LOCALAPPDATA");
  return local.is_absolute() ? local / "kubectl-smp" : fs::path();
}

std::string TemporaryRoot() {
  std::array<wchar_t, MAX_PATH + 1> path;
  const DWORD size = GetTempPathW(static_cast<DWORD>(path.size()), path.data());
  std::string out = Narrow({path.data(), size});
  while (out.size() > 3 && out.ends_with('\\')) out.pop_back();  // but not that of a drive
  return out;
}

}  // namespace smp
