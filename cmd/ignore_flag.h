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
#include "kube/client.h"

namespace smp::cmd {

std::vector<Flag> IgnoreFlagTable();

// Returns the paths of --ignore, then those of the ignore file: that of --ignore-file, else .smpignore in the working
// directory, if there is one. Errors: invalid-argument; parse, with file and line.
Result<std::vector<explain::IgnoredPath>> ToIgnored(const ParsedFlags& flags);

// Replaces plurals, short names and other spellings of kinds by the kinds: those of the built-in schema, then those that the
// server has. `client`: nullptr without a cluster. Error: invalid-argument or parse, for one in lower case that names no kind;
// one with capitals may be of a CRD that is not there.
Status ResolveKinds(std::vector<explain::IgnoredPath>& paths, kube::Client* client);

// Finds the paths that name nothing in any object. An ignore file is for many inputs: a path for objects that the input does
// not have is silent.
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
    bool meant = false;  // for one of the objects
  };
  std::vector<Counted> paths_;
};

}  // namespace smp::cmd
