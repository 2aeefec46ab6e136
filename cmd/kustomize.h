// -k: runs kustomize on a folder, as part of kubectl, which is installed wherever a kubectl plugin runs.
#pragma once

#include <string>

#include "base/result.h"
#include "cmd/io.h"

namespace smp::cmd {

// Returns the output of `kubectl kustomize TARGET`; prints its warnings to io.err. Runs the kubectl that $KUBECTL_PATH
// names (kubectl sets it for its plugins), else the one on PATH. Error: invalid-argument, with kubectl's message.
Result<std::string> Kustomize(const std::string& target, Io& io);

// Returns the name for the output of kustomize in messages, where the name of a manifest's file would be.
std::string KustomizeSourceName(const std::string& target);

}  // namespace smp::cmd
