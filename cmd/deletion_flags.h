// How apply deletes (--cascade, --grace-period, --timeout, --wait), and when (--force): kubectl's flags, with its
// messages.
#pragma once

#include <optional>
#include <vector>

#include "apply/deletion.h"
#include "apply/recreate.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

std::vector<Flag> DeletionFlagTable();
// Those of them that say what --force destroys.
std::vector<Flag> ForceFlagTable();

// Error: invalid-argument.
Result<apply::Deletion> ToDeletion(const ParsedFlags& flags);
// The same by --cascade alone.
Result<apply::Deletion> ToForetoldDeletion(const ParsedFlags& flags);

// nullopt without --force. Error: invalid-argument if the value of a flag is invalid, even without --force.
Result<std::optional<apply::RecreateOptions>> ToForce(const ParsedFlags& flags);
// The same by the flags of ForceFlagTable alone.
Result<std::optional<apply::RecreateOptions>> ToForetoldForce(const ParsedFlags& flags);
// Sets a callback in `options` that reports on io.err what --force does and waits for; `io` must outlive `options`.
// `server`: URL.
void TellOfForce(apply::SubmitOptions& options, const std::string& server, Io& io);

}  // namespace smp::cmd
