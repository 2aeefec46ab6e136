// --policy, --member-cluster and the other flags with which a command overrides manifests before it uses them.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

// --policy and the flags that describe the member cluster.
std::vector<Flag> OverrideFlagTable();
// The same for commands that use the manifests afterwards: with --override as another name of --policy.
std::vector<Flag> OverrideStepFlagTable();

// Applies the policies of --policy and --override to each manifest; one that fails is replaced by its error. Without
// policies the manifests stay as they are. Notes (such as a selector that selects nothing) go to io.err. Error: a
// policy or the description of the member cluster is invalid; then nothing may be done.
Status OverrideManifests(const ParsedFlags& flags, apply::Manifests& manifests, Io& io);

// Adds policy, rule and operation to the report rows of what policies wrote.
void AddPolicySources(const apply::Manifest& manifest, explain::ObjectReport& report);

}  // namespace smp::cmd
