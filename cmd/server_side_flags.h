// --server-side, --force-conflicts and --subresource of apply.
#ifndef SMP_CMD_SERVER_SIDE_FLAGS_H_
#define SMP_CMD_SERVER_SIDE_FLAGS_H_

#include <optional>
#include <vector>

#include "apply/server_side.h"
#include "apply/submit.h"
#include "cmd/flags.h"

namespace smp {

std::vector<Flag> ServerSideFlags();

// nullopt without --server-side. Without --field-manager, the field manager is that of kubectl's server-side apply.
std::optional<ServerSideOptions> ToServerSideOptions(const ParsedFlags& flags, const SubmitOptions& submit);

}  // namespace smp

#endif  // SMP_CMD_SERVER_SIDE_FLAGS_H_
