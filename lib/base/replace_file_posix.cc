#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/fd.h"
#include "base/replace_file.h"
#include "base/strings.h"

namespace smp {

namespace {

Error Failed(const std::string& path, int error) {
  return Error::InvalidArgument(StrCat("cannot write ", path, ": ", std::strerror(error), "; nothing was written"));
}

// Some file systems know no owners or modes: then the defaults must do.
bool WriteLike(const Fd& file, const struct stat& old, std::string_view text) {
  (void)!fchown(file.get(), old.st_uid, old.st_gid);
  (void)fchmod(file.get(), old.st_mode & 07777);
  return WriteAll(file, text) && fsync(file.get()) == 0;
}

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view text) {
  std::error_code unknown;
  const std::string real = std::filesystem::canonical(path, unknown).string();
  struct stat old = {};
  if (unknown || stat(real.c_str(), &old) != 0) return Failed(path, unknown ? unknown.value() : errno);
  std::string fresh = real + ".XXXXXX";
  const Fd file(mkostemp(fresh.data(), O_CLOEXEC));
  if (!file.open()) return Failed(path, errno);
  if (WriteLike(file, old, text) && rename(fresh.c_str(), real.c_str()) == 0) return Ok();
  const int error = errno;
  (void)unlink(fresh.c_str());
  return Failed(path, error);
}

Status CreateFile(const std::string& path, std::string_view text) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) return Failed(path, failed.value());
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.open() && errno == EEXIST) {
    return Error::InvalidArgument(StrCat(path, " exists already, and is not replaced; remove it first"));
  }
  if (!file.open()) return Failed(path, errno);
  if (WriteAll(file, text) && fsync(file.get()) == 0) return Ok();
  const int error = errno;
  (void)unlink(path.c_str());
  return Failed(path, error);
}

}  // namespace smp
