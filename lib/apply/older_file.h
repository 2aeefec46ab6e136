// Tells of a manifest that is older than what was applied last: an old checkout, or somebody else's newer version.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "smp/managed_fields.h"

namespace smp::apply {

// Returns who wrote live's last-applied annotation, if that has another content than the manifest, and was written more than a
// minute after the manifest's file changed: then another manifest was applied since. nullopt otherwise, and if managedFields do
// not tell when the annotation was written. `appliers`: of live.
std::optional<FieldManager> AppliedSince(const Prepared& prepared, const std::vector<FieldManager>& appliers,
                                         std::chrono::sys_seconds file_changed);

// Returns the name of who did so since the manifest's file changed; "" if nobody did, or if the manifest is from no local file.
std::string AppliedSinceFile(const Prepared& prepared, const std::vector<FieldManager>& appliers);

// Returns a warning that says so; "" without a writer. The warning has no time, so that it is the same for many objects.
std::string OlderFileWarning(const std::string& writer);

}  // namespace smp::apply
