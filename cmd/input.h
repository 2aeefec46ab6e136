// -f, -k and -R: shared by all commands that read manifests.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "cmd/command.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> InputFlagTable();

// How to treat an object with duplicate keys, or with keys that YAML reads as a different text (`y:`).
enum class OddKeys { kWarn, kRefuse };

// Reads what -f or -k names and applies the policies of --policy (override_flags.h). Warnings of the reader go to
// io.err; a refused object is replaced by its error. Error: invalid-argument if nothing was named, or something does
// not exist; then nothing may be done, as in kubectl.
Result<apply::Manifests> ReadInput(const ParsedFlags& flags, OddKeys odd_keys, Io& io);

}  // namespace smp::cmd
