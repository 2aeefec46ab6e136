#include "cmd/temporary_folder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>  // mkdtemp, on macOS

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/environment.h"
#include "base/strings.h"

namespace smp::cmd {

Result<TemporaryFolder> TemporaryFolder::Make(std::string_view purpose) {
  std::string path = StrCat(Environment("TMPDIR", "/tmp"), "/kubectl-smp-", purpose, "-XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return Error::InvalidArgument(StrCat("cannot create a temporary directory ", path, ": ", std::strerror(errno)));
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), kept_(other.kept_) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty() || kept_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::PathOf(std::string_view name) const { return StrCat(path_, "/", name); }

Status TemporaryFolder::MakeFolder(std::string_view name) const {
  if (mkdir(PathOf(name).c_str(), S_IRWXU) == 0) return Ok();
  return Error::InvalidArgument(StrCat("cannot create ", PathOf(name), ": ", std::strerror(errno)));
}

Status TemporaryFolder::Write(std::string_view name, std::string_view text) const {
  const std::string path = PathOf(name);
  const mode_t before = umask(S_IRWXG | S_IRWXO);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  (void)umask(before);
  file << text;
  file.close();
  return file ? Ok() : Status(Error::InvalidArgument("cannot write " + path));
}

}  // namespace smp::cmd
