#include <io.h>

#include <algorithm>

#include "base/fd.h"

namespace smp {

void Fd::Close() {
  if (fd_ >= 0) (void)_close(fd_);
  fd_ = -1;
}

bool WriteAll(const Fd& fd, std::string_view text) {
  constexpr size_t kMostAtOnce = 1UL << 20;
  while (!text.empty()) {
    const int written = _write(fd.get(), text.data(), static_cast<unsigned>(std::min(text.size(), kMostAtOnce)));
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace smp
