// Folders for one user: nobody else can read or write them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

enum class Missing { kLeave, kMake };

// A folder whose files only the user can read or replace, held open so that nobody can put another one in its place.
class PrivateFolder {
 public:
  // Returns nullptr if there is no such folder, it is a link, or others can access it. kMake makes it, and the folders above
  // it for everybody.
  static std::unique_ptr<PrivateFolder> Open(const std::string& path, Missing missing);

  virtual ~PrivateFolder() = default;
  // The same for a folder in it.
  virtual std::unique_ptr<PrivateFolder> OpenInner(const std::string& name, Missing missing) const = 0;
  // Returns nullopt if there is no such private file, or it has more than `max_bytes`.
  virtual std::optional<std::string> Read(const std::string& name, size_t max_bytes) const = 0;
  // Replaces the file atomically, even if two runs write at once. Ignores errors.
  virtual void Replace(const std::string& name, std::string_view text) const = 0;
};

// Makes a private folder for short use, whose path begins with `prefix`, and returns the path. Error: invalid-argument.
Result<std::string> MakeTemporaryFolder(const std::string& prefix);

// Error: invalid-argument, also if it exists.
Status MakePrivateFolder(const std::string& path);

}  // namespace smp
