#include <filesystem>
#include <system_error>

#include "base/digest.h"
#include "base/replace_file.h"
#include "base/strings.h"
#include "base/windows_access.h"
#include "base/windows_api.h"

namespace smp {

namespace {

Error NotWritten(const std::string& path, DWORD number) {
  return Error::InvalidArgument(StrCat("cannot write ", path, ": ", WindowsMessage(number), "; nothing was written"));
}

// Creates a file. kAll: with the access that the folder gives. Returns 0, else the error; then there is no file.
DWORD WriteNew(const std::string& path, std::string_view text, Readers readers) {
  const std::wstring name = Wide(path);
  ForUserAlone alone;
  SECURITY_ATTRIBUTES* access = readers == Readers::kOwner ? alone.get() : nullptr;
  Handle file(CreateFileW(name.c_str(), GENERIC_WRITE, 0, access, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file.open()) return GetLastError();
  DWORD written = 0;
  const bool whole = WriteFile(file.get(), text.data(), static_cast<DWORD>(text.size()), &written, nullptr) != 0;
  if (whole && written == text.size() && FlushFileBuffers(file.get()) != 0) return 0;
  const DWORD number = GetLastError();
  file.Close();
  (void)DeleteFileW(name.c_str());
  return number == 0 ? ERROR_DISK_FULL : number;
}

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view text) {
  std::error_code unknown;
  const std::string real = std::filesystem::canonical(path, unknown).string();
  if (unknown) return NotWritten(path, static_cast<DWORD>(unknown.value()));
  constexpr size_t kRandomBytes = 3;
  const std::string fresh = StrCat(real, ".", Hex(RandomBytes(kRandomBytes).value_or("")));
  if (const DWORD number = WriteNew(fresh, text, Readers::kAll); number != 0) return NotWritten(path, number);
  // The old file's attributes and access go to the new one.
  if (ReplaceFileW(Wide(real).c_str(), Wide(fresh).c_str(), nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS, nullptr,
                   nullptr)) {
    return Ok();
  }
  const DWORD number = GetLastError();
  (void)DeleteFileW(Wide(fresh).c_str());
  return NotWritten(path, number);
}

Status CreateFile(const std::string& path, std::string_view text, Readers readers) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) return NotWritten(path, static_cast<DWORD>(failed.value()));
  const DWORD number = WriteNew(path, text, readers);
  if (number == 0) return Ok();
  if (number != ERROR_FILE_EXISTS) return NotWritten(path, number);
  return Error::InvalidArgument(StrCat(path, " exists already, and is not replaced; remove it first"));
}

}  // namespace smp
