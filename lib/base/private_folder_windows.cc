#include <filesystem>
#include <optional>
#include <system_error>

#include "base/digest.h"
#include "base/private_file.h"
#include "base/private_folder.h"
#include "base/program.h"
#include "base/strings.h"
#include "base/windows_access.h"

namespace smp {

namespace {

bool MakeFolderForUser(const std::string& path) {
  ForUserAlone alone;
  return CreateDirectoryW(Wide(path).c_str(), alone.get()) != 0;
}

// Opens it so that nobody can rename or remove it meanwhile. Nothing if it is a link or others have access.
Handle OpenOwnFolder(const std::string& path) {
  Handle folder(CreateFileW(Wide(path).c_str(), FILE_LIST_DIRECTORY | READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE,
                            nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT,
                            nullptr));
  BY_HANDLE_FILE_INFORMATION found = {};
  if (!folder.open() || GetFileInformationByHandle(folder.get(), &found) == 0) return Handle();
  constexpr DWORD kKind = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
  if ((found.dwFileAttributes & kKind) != FILE_ATTRIBUTE_DIRECTORY) return Handle();
  const std::optional<Access> access = AccessOf(folder.get());
  return access && access->IsPrivate() ? std::move(folder) : Handle();
}

class WindowsFolder : public PrivateFolder {
 public:
  WindowsFolder(Handle folder, std::string path) : folder_(std::move(folder)), path_(std::move(path)) {}

  std::unique_ptr<PrivateFolder> OpenInner(const std::string& name, Missing missing) const override {
    return Open(PathOf(name), missing);
  }

  std::optional<std::string> Read(const std::string& name, size_t max_bytes) const override {
    Result<PrivateText> read = ReadPrivateFile(PathOf(name), max_bytes, "the file");
    if (!read.ok() || read->others_read) return std::nullopt;
    return std::move(read->text);
  }

  void Replace(const std::string& name, std::string_view text) const override {
    const std::string fresh = StrCat(PathOf(name), ".", ProcessId(), ".new");
    (void)DeleteFileW(Wide(fresh).c_str());  // of a run with the same process id that was killed
    if (!CreatePrivateFile(fresh, text, "the file").ok()) return;
    if (MoveFileExW(Wide(fresh).c_str(), Wide(PathOf(name)).c_str(), MOVEFILE_REPLACE_EXISTING) == 0) {
      (void)DeleteFileW(Wide(fresh).c_str());
    }
  }

 private:
  std::string PathOf(const std::string& name) const { return StrCat(path_, "\\", name); }

  Handle folder_;
  std::string path_;
};

}  // namespace

std::unique_ptr<PrivateFolder> PrivateFolder::Open(const std::string& path, Missing missing) {
  if (missing == Missing::kMake) {
    std::error_code ignored;  // opening it fails below
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    (void)MakeFolderForUser(path);
  }
  Handle folder = OpenOwnFolder(path);
  if (!folder.open()) return nullptr;
  return std::make_unique<WindowsFolder>(std::move(folder), path);
}

Result<std::string> MakeTemporaryFolder(const std::string& prefix) {
  constexpr size_t kRandomBytes = 8;
  const std::string path = StrCat(prefix, "-", Hex(RandomBytes(kRandomBytes).value_or("")));
  if (MakeFolderForUser(path)) return path;
  return Error::InvalidArgument(
      StrCat("cannot create a temporary directory ", path, ": ", WindowsMessage(GetLastError())));
}

Status MakePrivateFolder(const std::string& path) {
  if (MakeFolderForUser(path)) return Ok();
  return Error::InvalidArgument(StrCat("cannot create ", path, ": ", WindowsMessage(GetLastError())));
}

}  // namespace smp
