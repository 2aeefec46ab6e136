// -f, -k and -R: shared by all commands that read manifests.
#pragma once

#include <string>
#include <vector>

#include "apply/manifests.h"
#include "cmd/command.h"
#include "cmd/flags.h"

namespace smp::cmd {

class Overrides;

std::vector<Flag> InputFlagTable();

// How to treat an object with odd keys: duplicate ones, or ones that YAML 1.1 reads as a different text (`y:` as true).
enum class OddKeys { kWarn, kRefuse };

// Reads the manifests that -f or -k names and applies the policies of --policy (override_flags.h). Prints warnings to
// io.err. An object that is invalid or refused is replaced by its error. Error: invalid-argument if no input is named
// or a file does not exist; the caller must then stop without applying any object, as kubectl does. Also stores the policies
// in `overrides`, unless it is nullptr.
Result<apply::Manifests> ReadInput(const ParsedFlags& flags, OddKeys odd_keys, Io& io, Overrides* overrides = nullptr);

// Reads the texts that -f or -k names, for commands that need more of them than their objects. Errors: as ReadInput.
Result<apply::InputTexts> ReadInputTexts(const ParsedFlags& flags, Io& io);

Flag DuplicatesFlag();

}  // namespace smp::cmd
