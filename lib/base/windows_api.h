// Windows.h without the macros that would rename functions of ours, and what every file that uses it needs. Only for files of
// lib/base named *_windows.cc.
#pragma once

#include <windows.h>
#undef CreateFile
#undef ReplaceFile

#include <shellapi.h>  // which needs windows.h

#include <string>
#include <string_view>
#include <utility>

namespace smp {

// Between our texts, which are UTF-8, and those of Windows. What is not valid becomes U+FFFD.
std::wstring Wide(std::string_view text);
std::string Narrow(std::wstring_view text);

// Returns what Windows says of an error number, such as "Access is denied".
std::string WindowsMessage(DWORD number);

// A handle that is closed when its owner is destroyed.
class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { Close(); }
  void Close() {
    if (handle_ != nullptr) (void)CloseHandle(handle_);
    handle_ = nullptr;
  }
  HANDLE Release() { return std::exchange(handle_, nullptr); }
  HANDLE get() const { return handle_; }
  bool open() const { return handle_ != nullptr; }

 private:
  HANDLE handle_ = nullptr;
};

}  // namespace smp
