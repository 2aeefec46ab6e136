// Tells of a manifest that is older than what was applied last: an old checkout, or somebody else's newer version.
#pragma once

#include <string>
#include <vector>

#include "apply/prepare.h"
#include "smp/managed_fields.h"

namespace smp::apply {

// Returns a warning if live's last-applied annotation has another content than the manifest, and was written more than a
// minute after the manifest's file changed: then another manifest was applied since. "" otherwise, and if the manifest is
// from no local file or managedFields do not tell when the annotation was written. `appliers`: of live. The warning has no
// time, so that it is the same for many objects.
std::string OlderFileWarning(const Prepared& prepared, const std::vector<FieldManager>& appliers);

}  // namespace smp::apply
