// --policy, --member-cluster and the other flags for applying karmada's override policies to manifests before use.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

// --policy and the flags that describe the member cluster.
std::vector<Flag> OverrideFlagTable();
// Same, for commands that go on to use the overridden manifests: adds --override, another name of --policy.
std::vector<Flag> OverrideStepFlagTable();

// Applies the policies of --policy and --override to each manifest; replaces a manifest by the error if this fails.
// Prints warnings, such as for a selector that selects nothing, to io.err. Returns an error if a policy or the
// description of the member cluster is invalid; the caller must then stop and not use any of the manifests.
Status OverrideManifests(const ParsedFlags& flags, apply::Manifests& manifests, Io& io);

// Adds policy, rule and operation to the rows of `report` whose values a policy has set.
void AddPolicySources(const apply::Manifest& manifest, explain::ObjectReport& report);

}  // namespace smp::cmd
