// Folders of the user's.
#pragma once

#include <filesystem>
#include <string>

namespace smp {

// Returns $HOME; on Windows what kubectl takes for it. "" if the environment names none.
std::string HomeFolder();

// Returns HOME/PATH; "" if there is no home folder. PATH has slashes.
std::string InHome(const std::string& path);

// Returns our folder for files that outlive a restart: kubectl-smp in $XDG_STATE_HOME or ~/.local/state; on Windows in
// %LOCALAPPDATA%. "" if the environment names none.
std::filesystem::path StateFolder();

// Returns $TMPDIR if it is an absolute path, else /tmp; on Windows the user's temporary folder.
std::string TemporaryRoot();

}  // namespace smp
