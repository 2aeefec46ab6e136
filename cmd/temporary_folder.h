// A folder below TemporaryRoot() that only the user can read (0700), for files of one run.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp::cmd {

// The destructor removes it with all that is in it, unless Keep() was called.
class TemporaryFolder {
 public:
  // Its name begins with "kubectl-smp-PURPOSE". Error: invalid-argument if it cannot be created.
  static Result<TemporaryFolder> Make(std::string_view purpose);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  std::string PathOf(std::string_view name) const;
  Status MakeFolder(std::string_view name) const;
  // Creates or replaces the file.
  Status Write(std::string_view name, std::string_view text) const;
  void Keep() { kept_ = true; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // "": moved from
  bool kept_ = false;
};

}  // namespace smp::cmd
