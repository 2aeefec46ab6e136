// -f and its kin: shared by all commands that read manifests.
#ifndef SMP_CMD_INPUT_H_
#define SMP_CMD_INPUT_H_

#include <vector>

#include "apply/manifests.h"
#include "cmd/command.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> InputFlagTable();

// What -f names; warnings of the reader go to io.err. Error: invalid-argument when nothing was named or there are stray arguments.
Result<Manifests> ReadInput(const ParsedFlags& flags, Io& io);

}  // namespace smp

#endif  // SMP_CMD_INPUT_H_
