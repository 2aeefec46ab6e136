// --keep-live PATH and --adopt=MANAGER, of apply and explain-diff: leave a field as live has it; delete what a manager set
// and the manifest lacks.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "smp/keep_live.h"

namespace smp::cmd {

Flag KeepLiveFlag();

// Error: invalid-argument for a path that cannot be parsed, and together with --compat=kubectl.
Result<std::vector<KeepPath>> ToKeepLive(const ParsedFlags& flags);

// Finds the paths of --keep-live that name nothing in any object. A new object counts as one that they may be meant for.
class UnmatchedPaths {
 public:
  void AddObject(const std::vector<KeepPath>& unmatched);
  void WarnOf(Io& io) const;

 private:
  size_t objects_ = 0;
  std::map<std::string, size_t> misses_;  // objects without it, by path
};

Flag AdoptFlag();

// Error: invalid-argument for an empty name, and together with --compat=kubectl.
Result<std::vector<std::string>> ToAdopt(const ParsedFlags& flags);

}  // namespace smp::cmd
