// When API versions of built-in kinds are deprecated and removed (lifecycle.txt).
#pragma once

#include <optional>
#include <string>

#include "schema/release.h"
#include "schema/schema.h"

namespace smp {

struct Lifecycle {
  Release introduced, deprecated;
  std::optional<Release> removed;             // the first release that does not serve it
  std::optional<GroupVersionKind> successor;  // as stated; it may be removed, too
};

// Returns nullptr if nothing is known about the kind in this version, or if it is not deprecated in any release.
const Lifecycle* FindLifecycle(const GroupVersionKind& gvk);

// Returns the kind that takes its place in a release: the successor, or its successor if the release does not serve it.
// nullopt if there is none.
std::optional<GroupVersionKind> SuccessorIn(const Release& release, const Lifecycle& lifecycle);

}  // namespace smp
