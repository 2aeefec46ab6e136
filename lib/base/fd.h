// A file descriptor that is closed when its owner is destroyed.
#pragma once

#include <string_view>
#include <utility>

namespace smp {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { Close(); }
  void Close();
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Returns false, with errno, if not all could be written.
bool WriteAll(const Fd& fd, std::string_view text);

}  // namespace smp
