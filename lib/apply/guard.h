// The guard of a server-side apply: what live must be for the server to take it. Without one, the server merges the
// manifest into whatever has the name: also into an object that somebody else has just created, and it creates one that
// somebody has just deleted.
#pragma once

#include <optional>
#include <string>

#include "value/document.h"

namespace smp::apply {

struct Guard {
  std::string uid;      // "": any
  std::string version;  // metadata.resourceVersion; "": any

  bool empty() const { return uid.empty() && version.empty(); }
  bool operator==(const Guard&) const = default;
};

// Returns the guard by which only `live` is changed, as it was read, or, for nullopt, an object is only created. A dry run
// that would create one has no guard: it stores nothing, and its answer would show the guard.
Guard GuardOf(const std::optional<Document>& live, bool dry_run = false);

// Returns the guard without what the configuration states itself.
Guard NotStated(const Value& configuration, Guard guard);

// Returns the configuration with the guard, except where it states its own. The server answers a conflict if live is
// something else.
Value Guarded(const Value& configuration, const Guard& guard, Arena& arena);

// Returns live's last-applied annotation without the guard; nullopt if the guard is not in it. The server writes all that
// manager kubectl applies into an annotation that is there (LastAppliedUpdater of apimachinery's managedfields), and what is
// in it, the next client-side apply removes, which most kinds without unconditional updates refuse.
std::optional<std::string> RecordWithout(const Guard& guard, const Value& live);

}  // namespace smp::apply
