// kubectl's global flags: every command has them, before or after its name, whether it uses them or not.
#ifndef SMP_CMD_GLOBAL_FLAGS_H_
#define SMP_CMD_GLOBAL_FLAGS_H_

#include <vector>

#include "base/result.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> GlobalFlagTable();

// Error: invalid-argument, for what kubectl can do and we cannot: it is not left out silently.
Status CheckGlobalFlags(const ParsedFlags& flags);

}  // namespace smp

#endif  // SMP_CMD_GLOBAL_FLAGS_H_
