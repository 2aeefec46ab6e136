// -k: what kustomize makes of a folder. kubectl has kustomize inside, and whoever runs a plugin of it has kubectl.
#ifndef SMP_CMD_KUSTOMIZE_H_
#define SMP_CMD_KUSTOMIZE_H_

#include <string>

#include "base/result.h"
#include "cmd/io.h"

namespace smp {

// What `kubectl kustomize TARGET` prints; its warnings go to io.err, and what it fails of is the error. The kubectl is
// the one that $KUBECTL_PATH names (kubectl sets it for its plugins), else that of the PATH. Error: invalid-argument.
Result<std::string> Kustomize(const std::string& target, Io& io);

// What stands before the line in messages about that text: it is no file of the user's.
std::string KustomizeSourceName(const std::string& target);

}  // namespace smp

#endif  // SMP_CMD_KUSTOMIZE_H_
