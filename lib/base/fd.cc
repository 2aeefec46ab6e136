#include "base/fd.h"

#include <cerrno>

namespace smp {

bool WriteAll(const Fd& fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace smp
