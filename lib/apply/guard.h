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

// Returns the configuration with the guard, except where it states its own. The server answers a conflict if live is
// something else. `guard` must live as long as the result.
Value Guarded(const Value& configuration, const Guard& guard, Arena& arena);

}  // namespace smp::apply
