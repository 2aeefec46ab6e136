// pull --new DIR: manifests of live objects that are in no file.
#pragma once

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// Writes a manifest of each named object into the folder: what was last applied, if that was recorded, else what somebody could
// have written to get the object. Returns the exit status, as of pull.
Result<int> PullNew(const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
