#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "base/locked_file.h"
#include "base/strings.h"

namespace smp {

namespace {

Error FailedAt(const std::filesystem::path& path, int number) {
  return Error::InvalidArgument(StrCat(path.string(), ": ", std::strerror(number)));
}

// Flushes the folder to disk, so that new file names in it survive a crash.
Status SyncFolder(const std::filesystem::path& folder) {
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some network file systems cannot sync a folder: fsync fails with EINVAL.
  if (fd.open() && (fsync(fd.get()) == 0 || errno == EINVAL)) return Ok();
  return FailedAt(folder, errno);
}

Status WriteLastingly(const Fd& fd, const std::string& path, std::string_view text) {
  if (!WriteAll(fd, text) || fsync(fd.get()) != 0) return FailedAt(path, errno);
  return SyncFolder(std::filesystem::path(path).parent_path());
}

// Locks a new file. Returns false if another run has removed it meanwhile, because it was not locked yet.
bool LockNew(const Fd& fd) {
  if (flock(fd.get(), LOCK_EX) != 0) return true;  // a file system without locks: nobody can remove it as left
  struct stat found = {};
  return fstat(fd.get(), &found) == 0 && found.st_nlink > 0;
}

bool IsOwn(const struct stat& found) { return found.st_uid == geteuid() && (found.st_mode & 077) == 0; }

}  // namespace

Result<LockedFile> CreateLockedFile(const std::filesystem::path& folder, const std::string& first,
                                    std::string_view last, std::string_view text) {
  std::string path = (folder / StrCat(first, kRandomPart, last)).string();
  Fd fd(mkstemps(path.data(), static_cast<int>(last.size())));  // O_EXCL, 0600
  if (!fd.open()) return FailedAt(folder, errno);
  (void)fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  if (!LockNew(fd)) return CreateLockedFile(folder, first, last, text);
  if (Status written = WriteLastingly(fd, path, text); !written.ok()) {
    (void)unlink(path.c_str());
    return std::move(written).error();
  }
  return LockedFile{std::move(path), std::move(fd)};
}

Fd LockFile(const std::string& path) {
  Fd fd(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found = {};
  const bool own = fd.open() && fstat(fd.get(), &found) == 0 && S_ISREG(found.st_mode) && IsOwn(found);
  return own && flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : Fd();
}

std::vector<std::string> NamesThatBegin(const std::filesystem::path& folder, std::string_view first) {
  // std::filesystem makes a path of each entry, and takes four times as long.
  std::vector<std::string> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), &closedir);
  while (const dirent* entry = open != nullptr ? readdir(open.get()) : nullptr) {
    if (const std::string_view name = entry->d_name; name.starts_with(first)) out.emplace_back(name);
  }
  return out;
}

Status MakeLastingFolder(const std::filesystem::path& folder) {
  std::error_code unknown;
  if (std::filesystem::exists(folder, unknown)) return Ok();
  SMP_TRY(MakeLastingFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return FailedAt(folder, errno);
  return SyncFolder(folder.parent_path());
}

bool MakePrivate(const std::filesystem::path& folder) {
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat found = {};
  if (!fd.open() || fstat(fd.get(), &found) != 0) return false;
  return IsOwn(found) || (found.st_uid == geteuid() && fchmod(fd.get(), 0700) == 0);
}

}  // namespace smp
