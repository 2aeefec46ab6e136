#include <vector>

#include "base/private_file.h"
#include "base/strings.h"
#include "base/windows_access.h"

namespace smp {

namespace {

Error FailedWith(const std::string& path, std::string_view what, DWORD number) {
  const std::string message = StrCat(what, " ", path, ": ", WindowsMessage(number));
  const bool missing = number == ERROR_FILE_NOT_FOUND || number == ERROR_PATH_NOT_FOUND;
  return missing ? Error::NotFound(message) : Error::InvalidArgument(message);
}

bool WriteWhole(const Handle& file, std::string_view text) {
  while (!text.empty()) {
    constexpr size_t kMostAtOnce = 1UL << 20;
    DWORD written = 0;
    const auto wanted = static_cast<DWORD>(std::min(text.size(), kMostAtOnce));
    if (WriteFile(file.get(), text.data(), wanted, &written, nullptr) == 0 || written == 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

Handle OpenToWrite(const std::string& path, DWORD disposition) {
  ForUserAlone alone;
  return Handle(
      CreateFileW(Wide(path).c_str(), GENERIC_WRITE, 0, alone.get(), disposition, FILE_ATTRIBUTE_NORMAL, nullptr));
}

Status CheckAccess(const Access& access, const std::string& path, std::string_view what) {
  if (!access.own) return Error::Refused(StrCat(what, " ", path, " belongs to another user"));
  if (!access.others_write) return Ok();
  return Error::Refused(StrCat(what, " ", path,
                               " may be written by others, so it may be forged; if you trust it: icacls \"", path,
                               "\" /inheritance:r /grant:r \"%USERNAME%:F\""));
}

}  // namespace

Status CreatePrivateFile(const std::string& path, std::string_view text, std::string_view what) {
  Handle file = OpenToWrite(path, CREATE_NEW);
  if (!file.open() && GetLastError() == ERROR_FILE_EXISTS) {
    return Error::InvalidArgument(StrCat(what, " ", path, " exists already, and is not replaced; remove it first"));
  }
  if (!file.open()) return FailedWith(path, what, GetLastError());
  if (WriteWhole(file, text) && FlushFileBuffers(file.get()) != 0) return Ok();
  const DWORD number = GetLastError();
  file.Close();
  (void)DeleteFileW(Wide(path).c_str());
  return FailedWith(path, what, number);
}

Status WritePrivateFile(const std::string& path, std::string_view text) {
  const Handle file = OpenToWrite(path, CREATE_ALWAYS);
  return file.open() && WriteWhole(file, text) ? Ok() : Status(Error::InvalidArgument("cannot write " + path));
}

Result<PrivateText> ReadPrivateFile(const std::string& path, size_t max_bytes, std::string_view what) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const Handle file(CreateFileW(Wide(path).c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING, 0, nullptr));
  if (!file.open()) return FailedWith(path, what, GetLastError());
  if (GetFileType(file.get()) != FILE_TYPE_DISK) {
    return Error::InvalidArgument(StrCat(what, " ", path, " is not a regular file"));
  }
  const std::optional<Access> access = AccessOf(file.get());
  if (!access) return FailedWith(path, what, GetLastError());
  SMP_TRY(CheckAccess(*access, path, what));
  PrivateText out = {.others_read = access->others_read};
  std::vector<char> block(1UL << 16);
  while (true) {
    DWORD got = 0;
    if (ReadFile(file.get(), block.data(), static_cast<DWORD>(block.size()), &got, nullptr) == 0) {
      return FailedWith(path, what, GetLastError());
    }
    if (got == 0) return out;
    out.text.append(block.data(), got);
    if (out.text.size() > max_bytes) return Error::InvalidArgument(StrCat(what, " ", path, " is too large"));
  }
}

}  // namespace smp
