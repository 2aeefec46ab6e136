// The requests of a server-side apply that apply chose by itself (apply_mode.h). Unlike kubectl's (server_side.h), it was
// planned: the migration goes first, reduced to what last-applied names, and only conflicts that were seen are forced.
#pragma once

#include <string>
#include <string_view>

#include "apply/prepare.h"
#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp::apply {

// Returns an error if the apply would overwrite a field that it must not: refused, if another manager's Apply entry owns
// it, unless Planning::force_conflicts; conflict, for any owner, with Overwrite::kNo. Names the fields.
Status CheckTakeover(const Prepared& prepared, const Planning& planning);

// Returns a warning that names the fields of other managers which the apply overwrites; "" if there are none.
std::string TakeoverWarning(const Prepared& prepared);

// Migrates the object, if necessary, and applies it: `prepared.desired` and the managers of `prepared.mode`. Returns the
// object as the server has it then. Before a migration is stored, the server must accept its outcome in a dry run, so that
// an object that is refused stays as it was. A migration and an apply that is forced are guarded, because it must meet the
// conflicts that were planned and no others; with `guarded` every request that is stored: error conflict, if live has
// changed. `prepared.tries` counts the writes.
Result<Document> SendServerSide(Prepared& prepared, const Target& target, kube::WriteOptions write,
                                bool guarded = false);

// Sends a JSON patch with the outcome as a dry run: the server makes of it what it would make of migration and apply, but for
// managedFields. Also for a migration of --server-side.
Result<Document> RehearseOutcome(const Prepared& prepared, kube::Client& client, kube::WriteOptions write);

// Returns how the request of the apply is sent: by our manager, and forced if it takes over fields.
kube::WriteOptions ChosenApplyOptions(const Prepared& prepared, const Planning& planning, kube::WriteOptions write);

}  // namespace smp::apply
