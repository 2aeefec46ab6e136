// Finds the schema of an object's kind, on the server or in the input.
#pragma once

#include <memory>

#include "apply/prepare.h"
#include "base/result.h"

namespace smp::apply {

// Sets schema, resource, defined_by_input and unserved of `out`. A CRD of the input comes before the server's: it is applied
// before its objects (Target::definitions). Error: not-found, if nobody has the kind; schema, if the CRD of the input does
// not serve the version.
Status FindKind(const GroupVersionKind& gvk, const Target& target, Prepared& out);

// Does this without a server: the kind is one of `builtin` or of a CRD of the input (`definitions`; nullptr: none). Never
// sets `unserved`. Error: schema, if neither has the kind.
Status FindKindOffline(const GroupVersionKind& gvk, const InputDefinitions* definitions,
                       const std::shared_ptr<const Schema>& builtin, Prepared& out);

// Returns the resource of the kind, by which the server finds the object; without its type if it is from the input.
Result<Resource> ResourceOf(const GroupVersionKind& gvk, const Target& target);

// Returns the kind in another version that its CRD in the input has and the server serves now; nullopt if there is none.
std::optional<Resource> ServedVersion(const GroupVersionKind& gvk, const Target& target);

}  // namespace smp::apply
