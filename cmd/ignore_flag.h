// --ignore PATH and --ignore-file FILE of explain-diff: fields whose differences are neither shown nor counted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "apply/prepare.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/ignore.h"

namespace smp::cmd {

std::vector<Flag> IgnoreFlagTable();

// Returns the paths of --ignore, then those of the ignore file: that of --ignore-file, else .smpignore in the working
// directory, if there is one. Errors: invalid-argument; parse, with file and line.
Result<std::vector<explain::IgnoredPath>> ToIgnored(const ParsedFlags& flags);

// Finds the paths of --ignore that name nothing in any object. An ignore file is for many inputs: nothing is said of its
// paths.
class UnmatchedIgnores {
 public:
  explicit UnmatchedIgnores(const std::vector<explain::IgnoredPath>& paths);
  // An object that could not be read or prepared (nullptr), or is new, counts as one that the paths may be meant for.
  void AddObject(const apply::Prepared* prepared);
  void WarnOf(Io& io) const;

 private:
  struct Counted {
    explain::IgnoredPath path;
    bool named = false;
  };
  std::vector<Counted> paths_;
};

}  // namespace smp::cmd
