#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/private_file.h"
#include "base/strings.h"

namespace smp {

namespace {

Error Failed(const std::string& path, std::string_view what, int error) {
  const std::string message = StrCat(what, " ", path, ": ", std::strerror(error));
  return error == ENOENT ? Error::NotFound(message) : Error::InvalidArgument(message);
}

bool WriteDurably(const Fd& file, std::string_view text) { return WriteAll(file, text) && fsync(file.get()) == 0; }

Status CheckAccess(const struct stat& found, const std::string& path, std::string_view what) {
  constexpr mode_t kWrittenByOthers = 022;
  if (!S_ISREG(found.st_mode)) return Error::InvalidArgument(StrCat(what, " ", path, " is not a regular file"));
  const uid_t user = geteuid();
  if (user != 0 && found.st_uid != user && found.st_uid != 0) {
    return Error::Refused(StrCat(what, " ", path, " belongs to another user"));
  }
  if ((found.st_mode & kWrittenByOthers) == 0) return Ok();
  return Error::Refused(
      StrCat(what, " ", path, " may be written by others, so it may be forged; chmod 600 ", path, " if you trust it"));
}

}  // namespace

Status CreatePrivateFile(const std::string& path, std::string_view text, std::string_view what) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.open() && errno == EEXIST) {
    return Error::InvalidArgument(StrCat(what, " ", path, " exists already, and is not replaced; remove it first"));
  }
  if (!file.open()) return Failed(path, what, errno);
  if (WriteDurably(file, text)) return Ok();
  const int error = errno;
  (void)unlink(path.c_str());
  return Failed(path, what, error);
}

Status WritePrivateFile(const std::string& path, std::string_view text) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  return file.open() && WriteAll(file, text) ? Ok() : Status(Error::InvalidArgument("cannot write " + path));
}

Result<PrivateText> ReadPrivateFile(const std::string& path, size_t max_bytes, std::string_view what) {
  constexpr mode_t kReadByOthers = 044;
  const Fd file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a pipe must not block
  if (!file.open()) return Failed(path, what, errno);
  struct stat found = {};
  if (fstat(file.get(), &found) != 0) return Failed(path, what, errno);
  SMP_TRY(CheckAccess(found, path, what));
  PrivateText out = {.others_read = (found.st_mode & kReadByOthers) != 0};
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(file.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed(path, what, errno);
    if (got == 0) return out;
    out.text.append(buffer, static_cast<size_t>(got));
    if (out.text.size() > max_bytes) return Error::InvalidArgument(StrCat(what, " ", path, " is too large"));
  }
}

}  // namespace smp
