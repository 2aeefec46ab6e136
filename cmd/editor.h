// The user's editor on a temporary file: KUBE_EDITOR, EDITOR, vi.
#ifndef SMP_CMD_EDITOR_H_
#define SMP_CMD_EDITOR_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

// A file that only the user can read, in a folder of its own (0700). Both go with this, unless they are kept.
class TemporaryFile {
 public:
  // Error: invalid-argument, when it cannot be made below $TMPDIR (/tmp).
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

  std::string folder_;  // "": not to be removed
  std::string path_;
};

// Lets the user edit; returns when the editor ends. As kubectl: an editor with blanks is split at them, one with quotes
// goes to the user's shell. Error: not-found or invalid-argument, when it cannot be run or fails.
Status LaunchEditor(const std::string& path);

}  // namespace smp

#endif  // SMP_CMD_EDITOR_H_
