// -k: what kustomize makes of a folder. kubectl has kustomize inside, and whoever runs a plugin of it has kubectl.
#ifndef SMP_CMD_KUSTOMIZE_H_
#define SMP_CMD_KUSTOMIZE_H_

#include <string>

#include "base/result.h"
#include "cmd/io.h"

namespace smp {

// What `kubectl kustomize TARGET` prints; its complaints go to io.err. The kubectl is the one that $KUBECTL_PATH names
// (kubectl sets it for its plugins), else that of the PATH. Error: invalid-argument.
Result<std::string> Kustomize(const std::string& target, Io& io);

}  // namespace smp

#endif  // SMP_CMD_KUSTOMIZE_H_
