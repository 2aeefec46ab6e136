#include <aclapi.h>
#include <sddl.h>

#include <vector>

#include "base/windows_access.h"

namespace smp {

namespace {

constexpr DWORD kWriting = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER |
                           GENERIC_WRITE | GENERIC_ALL;
constexpr DWORD kReading = FILE_READ_DATA | GENERIC_READ | GENERIC_ALL;

// The user's security identifier, as TokenUser has it; empty if the system does not tell.
std::vector<char> UserToken() {
  HANDLE opened = nullptr;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return {};
  const Handle token(opened);
  DWORD size = 0;
  (void)GetTokenInformation(token.get(), TokenUser, nullptr, 0, &size);
  std::vector<char> out(size);
  if (GetTokenInformation(token.get(), TokenUser, out.data(), size, &size) == 0) return {};
  return out;
}

PSID SidIn(std::vector<char>& token) {
  return token.empty() ? nullptr : reinterpret_cast<TOKEN_USER*>(token.data())->User.Sid;
}

bool IsTrusted(PSID sid, PSID user) {
  for (const WELL_KNOWN_SID_TYPE type : {WinLocalSystemSid, WinBuiltinAdministratorsSid, WinCreatorOwnerRightsSid}) {
    if (IsWellKnownSid(sid, type) != 0) return true;
  }
  return user != nullptr && EqualSid(sid, user) != 0;
}

void AddEntry(ACL* list, DWORD index, PSID user, Access& access) {
  void* entry = nullptr;
  if (GetAce(list, index, &entry) == 0) return;
  const auto* allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
  if (allowed->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || (allowed->Header.AceFlags & INHERIT_ONLY_ACE) != 0) return;
  if (IsTrusted(const_cast<DWORD*>(&allowed->SidStart), user)) return;
  if ((allowed->Mask & kReading) != 0) access.others_read = true;
  if ((allowed->Mask & kWriting) != 0) access.others_write = true;
}

}  // namespace

std::optional<Access> AccessOf(HANDLE file) {
  PSID owner = nullptr;
  ACL* list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  constexpr DWORD kWanted = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
  if (GetSecurityInfo(file, SE_FILE_OBJECT, kWanted, &owner, nullptr, &list, nullptr, &descriptor) != ERROR_SUCCESS) {
    return std::nullopt;
  }
  std::vector<char> token = UserToken();
  const PSID user = SidIn(token);
  Access access = {.own = owner != nullptr && IsTrusted(owner, user)};
  if (list == nullptr) access.others_read = access.others_write = true;  // no list: everybody may do everything
  for (DWORD i = 0; list != nullptr && i < list->AceCount; ++i) AddEntry(list, i, user, access);
  (void)LocalFree(descriptor);
  return access;
}

ForUserAlone::ForUserAlone() {
  std::vector<char> token = UserToken();
  wchar_t* user = nullptr;
  if (token.empty() || ConvertSidToStringSidW(SidIn(token), &user) == 0) return;
  // Protected from what the folder gives; full access for the three, also to what will be in a folder.
  const std::wstring rules = std::wstring(L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;") + user + L")";
  (void)LocalFree(user);
  (void)ConvertStringSecurityDescriptorToSecurityDescriptorW(rules.c_str(), SDDL_REVISION_1,
                                                             &attributes_.lpSecurityDescriptor, nullptr);
}

}  // namespace smp
