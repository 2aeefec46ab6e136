// -k: runs kustomize on a folder. kubectl contains kustomize, and whoever runs a kubectl plugin has kubectl.
#pragma once

#include <string>

#include "base/result.h"
#include "cmd/io.h"

namespace smp::cmd {

// Returns what `kubectl kustomize TARGET` prints; its warnings go to io.err. Runs the kubectl that $KUBECTL_PATH names
// (kubectl sets it for its plugins), else the one on the PATH. Error: invalid-argument, with kubectl's message.
Result<std::string> Kustomize(const std::string& target, Io& io);

// The source name in messages about that text, which is not a file of the user's.
std::string KustomizeSourceName(const std::string& target);

}  // namespace smp::cmd
