#include <fcntl.h>
#include <io.h>

#include <system_error>

#include "base/digest.h"
#include "base/locked_file.h"
#include "base/strings.h"
#include "base/windows_access.h"

namespace smp {

namespace {

Error FailedAt(const std::string& path, DWORD number) {
  return Error::InvalidArgument(StrCat(path, ": ", WindowsMessage(number)));
}

// Opens the file so that others may read and remove it, but not open it to write: this is what other runs try.
Handle OpenAlone(const std::string& path, DWORD disposition) {
  ForUserAlone alone;
  return Handle(CreateFileW(Wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                            alone.get(), disposition, FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
}

Fd ToFd(Handle file) {
  const int fd = _open_osfhandle(reinterpret_cast<intptr_t>(file.get()), _O_RDWR | _O_BINARY | _O_NOINHERIT);
  if (fd >= 0) (void)file.Release();
  return Fd(fd);
}

}  // namespace

Result<LockedFile> CreateLockedFile(const std::filesystem::path& folder, const std::string& first,
                                    std::string_view last, std::string_view text) {
  constexpr size_t kRandomBytes = 3;
  const std::string random = Hex(RandomBytes(kRandomBytes).value_or(""));
  const std::string path = (folder / StrCat(first, "-", random, last)).string();
  Handle file = OpenAlone(path, CREATE_NEW);
  if (!file.open()) return FailedAt(folder.string(), GetLastError());
  const HANDLE handle = file.get();
  Fd fd = ToFd(std::move(file));
  // Windows writes the folder's entry by itself: its file systems keep a journal.
  if (fd.open() && WriteAll(fd, text) && FlushFileBuffers(handle) != 0) return LockedFile{path, std::move(fd)};
  const DWORD number = GetLastError();
  fd.Close();
  (void)DeleteFileW(Wide(path).c_str());
  return FailedAt(path, number);
}

Fd LockFile(const std::string& path) {
  Handle file = OpenAlone(path, OPEN_EXISTING);
  if (!file.open() || GetFileType(file.get()) != FILE_TYPE_DISK) return Fd();
  const std::optional<Access> access = AccessOf(file.get());
  return access && access->IsPrivate() ? ToFd(std::move(file)) : Fd();
}

std::vector<std::string> NamesThatBegin(const std::filesystem::path& folder, std::string_view first) {
  std::vector<std::string> out;
  std::error_code none;
  for (auto at = std::filesystem::directory_iterator(folder, none); at != std::filesystem::directory_iterator();
       at.increment(none)) {
    if (std::string name = at->path().filename().string(); name.starts_with(first)) out.push_back(std::move(name));
  }
  return out;
}

Status MakeLastingFolder(const std::filesystem::path& folder) {
  std::error_code unknown;
  if (std::filesystem::exists(folder, unknown)) return Ok();
  if (folder.parent_path() == folder) return FailedAt(folder.string(), ERROR_PATH_NOT_FOUND);
  SMP_TRY(MakeLastingFolder(folder.parent_path()));
  ForUserAlone alone;
  if (CreateDirectoryW(Wide(folder.string()).c_str(), alone.get()) != 0 || GetLastError() == ERROR_ALREADY_EXISTS) {
    return Ok();
  }
  return FailedAt(folder.string(), GetLastError());
}

// Its access is what the folders above it give, and is not changed.
bool MakePrivate(const std::filesystem::path& folder) {
  const Handle opened(CreateFileW(Wide(folder.string()).c_str(), READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  const std::optional<Access> access = opened.open() ? AccessOf(opened.get()) : std::nullopt;
  return access && access->IsPrivate();
}

}  // namespace smp
