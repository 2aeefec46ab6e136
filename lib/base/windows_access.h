// Who may read and write a file, by its access control list. Only for files of lib/base named *_windows.cc.
#pragma once

#include <optional>

#include "base/windows_api.h"

namespace smp {

// What others than the user, SYSTEM and the administrators may do, who are on Windows what root is elsewhere.
struct Access {
  bool own = false;  // it belongs to one of these
  bool others_read = false;
  bool others_write = false;

  bool IsPrivate() const { return own && !others_read && !others_write; }
};

// Returns nullopt if it cannot be found out. The handle needs READ_CONTROL.
std::optional<Access> AccessOf(HANDLE file);

// What gives a new file or folder, and all that will be in it, to the user, SYSTEM and the administrators alone.
class ForUserAlone {
 public:
  ForUserAlone();
  ~ForUserAlone() { (void)LocalFree(attributes_.lpSecurityDescriptor); }
  ForUserAlone(const ForUserAlone&) = delete;
  ForUserAlone& operator=(const ForUserAlone&) = delete;
  // Returns nullptr, for what the folder gives, if the system does not tell who the user is.
  SECURITY_ATTRIBUTES* get() { return attributes_.lpSecurityDescriptor == nullptr ? nullptr : &attributes_; }

 private:
  SECURITY_ATTRIBUTES attributes_ = {sizeof(SECURITY_ATTRIBUTES), nullptr, FALSE};
};

}  // namespace smp
