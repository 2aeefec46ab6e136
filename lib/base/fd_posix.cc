#include <unistd.h>

#include <cerrno>

#include "base/fd.h"

namespace smp {

void Fd::Close() {
  if (fd_ >= 0) (void)close(fd_);
  fd_ = -1;
}

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
