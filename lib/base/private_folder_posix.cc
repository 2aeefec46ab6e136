#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>  // mkdtemp, on macOS

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/fd.h"
#include "base/private_folder.h"
#include "base/program.h"
#include "base/strings.h"

namespace smp {

namespace {

// Returns true if `file` has type `kind` (S_IFDIR or S_IFREG), belongs to the user, and nobody else can access it.
bool IsPrivate(const Fd& file, mode_t kind) {
  struct stat found = {};
  return fstat(file.get(), &found) == 0 && (found.st_mode & S_IFMT) == kind && found.st_uid == geteuid() &&
         (found.st_mode & 077) == 0;
}

std::optional<std::string> ReadAll(const Fd& file, size_t max_bytes) {
  std::string out;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(file.get(), buffer, sizeof(buffer));
    if (got == 0) return out;
    if (got < 0 || out.size() + static_cast<size_t>(got) > max_bytes) return std::nullopt;
    out.append(buffer, static_cast<size_t>(got));
  }
}

class PosixFolder : public PrivateFolder {
 public:
  explicit PosixFolder(Fd folder) : folder_(std::move(folder)) {}

  static std::unique_ptr<PrivateFolder> OpenAt(int parent, const char* name) {
    Fd folder(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.open() || !IsPrivate(folder, S_IFDIR)) return nullptr;
    return std::make_unique<PosixFolder>(std::move(folder));
  }

  std::unique_ptr<PrivateFolder> OpenInner(const std::string& name, Missing missing) const override {
    if (missing == Missing::kMake) mkdirat(folder_.get(), name.c_str(), 0700);
    return OpenAt(folder_.get(), name.c_str());
  }

  std::optional<std::string> Read(const std::string& name, size_t max_bytes) const override {
    const Fd file(openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.open() || !IsPrivate(file, S_IFREG)) return std::nullopt;
    return ReadAll(file, max_bytes);
  }

  void Replace(const std::string& name, std::string_view text) const override {
    const std::string fresh = StrCat(name, ".", ProcessId(), ".new");
    unlinkat(folder_.get(), fresh.c_str(), 0);  // of a run with the same process id that was killed, as in a container
    Fd file(openat(folder_.get(), fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.open()) return;
    const bool whole = WriteAll(file, text);
    if (!whole || renameat(folder_.get(), fresh.c_str(), folder_.get(), name.c_str()) != 0) {
      unlinkat(folder_.get(), fresh.c_str(), 0);
    }
  }

 private:
  Fd folder_;
};

}  // namespace

std::unique_ptr<PrivateFolder> PrivateFolder::Open(const std::string& path, Missing missing) {
  if (missing == Missing::kMake) {
    std::error_code ignored;  // opening it fails below
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    mkdir(path.c_str(), 0700);
  }
  return PosixFolder::OpenAt(AT_FDCWD, path.c_str());
}

Result<std::string> MakeTemporaryFolder(const std::string& prefix) {
  std::string path = prefix + "-XXXXXX";
  if (mkdtemp(path.data()) != nullptr) return path;
  return Error::InvalidArgument(StrCat("cannot create a temporary directory ", path, ": ", std::strerror(errno)));
}

Status MakePrivateFolder(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) == 0) return Ok();
  return Error::InvalidArgument(StrCat("cannot create ", path, ": ", std::strerror(errno)));
}

}  // namespace smp
