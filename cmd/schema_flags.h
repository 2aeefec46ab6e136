// --schema, --from-server and --gvk: the source of the schema, and the type of an object that does not name one.
#pragma once

#include <memory>
#include <vector>

#include "apply/type_source.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// The connection flags, which --from-server needs, are global flags.
std::vector<Flag> SchemaFlagTable();

// Error: invalid-argument if a file of --schema does not exist. The contents are checked when they are read.
Result<std::unique_ptr<apply::TypeSource>> MakeTypeSource(const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
