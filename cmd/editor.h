// Runs the user's editor on a temporary file: $KUBE_EDITOR, else $EDITOR, else vi or notepad.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "cmd/temporary_folder.h"

namespace smp::cmd {

// A file in a temporary folder of its own. The destructor removes both, unless Keep() was called.
class TemporaryFile {
 public:
  // Error: invalid-argument if it cannot be created below TemporaryRoot().
  static Result<TemporaryFile> Make(std::string_view name);

  std::string path() const { return folder_.PathOf(name_); }
  Status Write(std::string_view text) const { return folder_.Write(name_, text); }
  Result<std::string> Read() const;
  void Keep() { folder_.Keep(); }

 private:
  TemporaryFile(TemporaryFolder folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

  TemporaryFolder folder_;
  std::string name_;
};

// Runs the editor and returns when it exits. As in kubectl, an editor with spaces is split at them, and one with quotes
// is run by the user's shell. Error: not-found or invalid-argument if it cannot be run or fails.
Status LaunchEditor(const std::string& path);

}  // namespace smp::cmd
