#include <fcntl.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif
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

#if defined(__linux__)
// Copies extended attributes, among them ACLs, as far as the user may set them.
void CopyAttributes(const std::string& from, const Fd& to) {
  constexpr size_t kMostBytes = 1 << 16;  // of Linux
  std::string names(kMostBytes, '\0'), value(kMostBytes, '\0');
  const ssize_t listed = listxattr(from.c_str(), names.data(), names.size());
  for (const std::string_view name : Split(std::string_view(names).substr(0, listed < 0 ? 0 : listed), '\0')) {
    if (name.empty()) continue;
    const std::string terminated(name);
    const ssize_t size = getxattr(from.c_str(), terminated.c_str(), value.data(), value.size());
    if (size >= 0) (void)fsetxattr(to.get(), terminated.c_str(), value.data(), static_cast<size_t>(size), 0);
  }
}
#else
void CopyAttributes(const std::string&, const Fd&) {}
#endif

// Some file systems know no owners or modes: then the defaults must do.
bool WriteLike(const std::string& path, const struct stat& old, const Fd& file, std::string_view text) {
  (void)!fchown(file.get(), old.st_uid, old.st_gid);
  (void)fchmod(file.get(), old.st_mode & 07777);
  CopyAttributes(path, file);
  return WriteAll(file, text) && fsync(file.get()) == 0;
}

bool KeepsOwner(const Fd& file, const struct stat& old) {
  struct stat now = {};
  return fstat(file.get(), &now) == 0 && now.st_uid == old.st_uid && now.st_gid == old.st_gid;
}

// Overwrites the file by `text`, which the file `fresh` has: that stays if it fails.
Status Overwrite(const std::string& path, const std::string& fresh, std::string_view text) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const bool opened = file.open();
  const bool done = opened && WriteAll(file, text) && ftruncate(file.get(), static_cast<off_t>(text.size())) == 0 &&
                    fsync(file.get()) == 0;
  const int error = errno;
  if (done || !opened) (void)unlink(fresh.c_str());
  if (done) return Ok();
  if (!opened) return Failed(path, error);
  return Error::InvalidArgument(
      StrCat("cannot overwrite ", path, ": ", std::strerror(error), "; what it should say is in ", fresh));
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
  const bool written = WriteLike(real, old, file, text);
  if (written && (old.st_nlink > 1 || !KeepsOwner(file, old))) return Overwrite(real, fresh, text);
  if (written && rename(fresh.c_str(), real.c_str()) == 0) return Ok();
  const int error = errno;
  (void)unlink(fresh.c_str());
  return Failed(path, error);
}

Status CreateFile(const std::string& path, std::string_view text, Readers readers) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) return Failed(path, failed.value());
  const Fd file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, readers == Readers::kAll ? 0666 : 0600));
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
