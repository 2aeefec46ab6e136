#include "cmd/temporary_folder.h"

#include <filesystem>
#include <utility>

#include "base/private_file.h"
#include "base/private_folder.h"
#include "base/strings.h"
#include "base/user_folders.h"

namespace smp::cmd {

Result<TemporaryFolder> TemporaryFolder::Make(std::string_view purpose) {
  SMP_ASSIGN(std::string path, MakeTemporaryFolder(StrCat(TemporaryRoot(), "/kubectl-smp-", purpose)));
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), kept_(other.kept_) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty() || kept_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// Written as the system does: on Windows, cmd.exe takes /NAME for an option.
std::string TemporaryFolder::PathOf(std::string_view name) const {
  return std::filesystem::path(StrCat(path_, "/", name)).make_preferred().string();
}

Status TemporaryFolder::MakeFolder(std::string_view name) const { return MakePrivateFolder(PathOf(name)); }

Status TemporaryFolder::Write(std::string_view name, std::string_view text) const {
  return WritePrivateFile(PathOf(name), text);
}

}  // namespace smp::cmd
