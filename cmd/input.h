// -f, -k and -R: shared by all commands that read manifests.
#ifndef SMP_CMD_INPUT_H_
#define SMP_CMD_INPUT_H_

#include <vector>

#include "apply/manifests.h"
#include "cmd/command.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> InputFlagTable();

// What becomes of an object with duplicate keys, or keys that YAML reads as another text (`y:`).
enum class OddKeys { kWarn, kRefuse };

// What -f or -k names, overridden by the policies of --policy (override_flags.h); warnings of the reader go to io.err,
// and what is refused is an error in the object's place. Error: invalid-argument when nothing was named, or something
// that is not there: then nothing may be done, as kubectl does nothing.
Result<Manifests> ReadInput(const ParsedFlags& flags, OddKeys odd_keys, Io& io);

}  // namespace smp

#endif  // SMP_CMD_INPUT_H_
