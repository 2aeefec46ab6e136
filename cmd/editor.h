// Runs the user's editor on a temporary file: $KUBE_EDITOR, else $EDITOR, else vi.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp::cmd {

// A file that only the user can read, in a folder of its own (0700). The destructor removes both, unless Keep() was
// called.
class TemporaryFile {
 public:
  // Error: invalid-argument if it cannot be created below $TMPDIR (default /tmp).
  static Result<TemporaryFile> Make(std::string_view name);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }
  Status Write(std::string_view text) const;
  Result<std::string> Read() const;
  void Keep() { folder_.clear(); }

 private:
  TemporaryFile(std::string folder, std::string path) : folder_(std::move(folder)), path_(std::move(path)) {}

  std::string folder_;  // "": nothing to remove
  std::string path_;
};

// Runs the editor and returns when it exits. As in kubectl, an editor with spaces is split at them, and one with quotes
// is run by the user's shell. Error: not-found or invalid-argument if it cannot be run or fails.
Status LaunchEditor(const std::string& path);

}  // namespace smp::cmd
