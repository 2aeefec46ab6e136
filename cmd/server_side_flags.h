// --server-side, --force-conflicts and --subresource of apply.
#pragma once

#include <optional>
#include <vector>

#include "apply/server_side.h"
#include "apply/submit.h"
#include "cmd/flags.h"

namespace smp::cmd {

std::vector<Flag> ServerSideFlags();

// nullopt without --server-side. Without --field-manager, the field manager is that of kubectl's server-side apply.
std::optional<apply::ServerSideOptions> ToServerSideOptions(const ParsedFlags& flags,
                                                            const apply::SubmitOptions& submit);

}  // namespace smp::cmd
