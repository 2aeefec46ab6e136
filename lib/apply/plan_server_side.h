// Plans a server-side apply, for explain-diff: what the server would make of it, and whether it would refuse it.
#pragma once

#include <optional>

#include "apply/prepare.h"
#include "base/result.h"

namespace smp::apply {

// Sets `patch` and `server_side` of an object that exists. Where the server refuses only the request that removes fields after a
// migration, the plan is that of the first one. REQUIRES: `prepared.desired` is the manifest as the server
// stores it. Errors: those of PlanServerSide.
Status PlanServerSideApply(Prepared& prepared, const ServerSidePlanning& planning);

// Plans only the first request of a migration, which removes nothing: the server refuses the one that removes, for `refusal`. Adds a
// note that says so. REQUIRES: planned by PlanServerSideApply.
Status PlanFirstRequest(Prepared& prepared, const Error& refusal);

// Likewise, where apply chose to be server-side (`prepared.mode`): also sets `migrated`, and by it decides what is a
// conflict. Conflicts are forced, unless another manager's Apply entry owns one of the fields.
Status PlanChosenServerSide(Prepared& prepared, const Planning& planning);

// Returns why apply chose to be server-side; "" if it did not.
std::string WhyServerSide(const ApplyMode& mode);

// Returns true if an Apply entry owns the field.
bool IsAppliedByOthers(const FieldConflict& conflict);

// Returns the error refused with which the server would refuse a server-side apply, whoever owns what: items of lists that it does not
// take, two alternatives of a union, or a null where it takes none. `server_side`: the user asked for it.
std::optional<Error> ServerSideRefusalOf(const Prepared& prepared, bool server_side);

// Forgets what Prepared says of duplicate list items, such as that the last one takes effect, if a server-side apply is refused for them.
void DropDuplicatesIfRefused(Prepared& prepared);

// The last line of the error of ConflictOf where apply itself refuses.
inline constexpr std::string_view kTakeoverAdvice =
    "remove these fields from the manifest, or take them over with --force-conflicts";

// Returns the error conflict with which the server would refuse the apply: it names the fields and their owners, as
// Describe in managed_fields.h does; refused, if apply itself refuses. nullopt if neither would.
std::optional<Error> ConflictOf(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now);

}  // namespace smp::apply
