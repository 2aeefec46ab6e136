#include "base/strings.h"
#include "base/windows_api.h"

namespace smp {

std::wstring Wide(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring out(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)), L'\0');
  (void)MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, out.data(), static_cast<int>(out.size()));
  return out;
}

std::string Narrow(std::wstring_view text) {
  const int units = static_cast<int>(text.size());
  const int size = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<size_t>(size), '\0');
  (void)WideCharToMultiByte(CP_UTF8, 0, text.data(), units, out.data(), size, nullptr, nullptr);
  return out;
}

std::string WindowsMessage(DWORD number) {
  wchar_t text[512];
  const DWORD size = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, number, 0,
                                    text, static_cast<DWORD>(std::size(text)), nullptr);
  std::string out(Trim(Narrow({text, size})));
  while (out.ends_with('.')) out.pop_back();
  return out.empty() ? StrCat("error ", number) : out;
}

}  // namespace smp
