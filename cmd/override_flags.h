// --policy, --member-cluster and the rest of what a command needs to override manifests before it uses them.
#ifndef SMP_CMD_OVERRIDE_FLAGS_H_
#define SMP_CMD_OVERRIDE_FLAGS_H_

#include <string>
#include <vector>

#include "apply/manifests.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"
#include "override/member_cluster.h"
#include "override/override.h"

namespace smp {

// --policy and the flags that describe the member cluster.
std::vector<Flag> OverrideFlagTable();
// The same for commands that do something with the manifests afterwards: with --override, as another name of --policy.
std::vector<Flag> OverrideStepFlagTable();

// Each manifest as the policies of --policy and --override make it; one that they cannot be applied to is an error in
// its place. Without policies they stay as they are. Notes (a selector that selects nothing) go to io.err.
// Error: when a policy or the description of the member cluster is wrong; then nothing may be done.
Status OverrideManifests(const ParsedFlags& flags, Manifests& manifests, Io& io);

// Names policy, rule and operation in the rows of what policies wrote.
void AddPolicySources(const Manifest& manifest, ObjectReport& report);

}  // namespace smp

#endif  // SMP_CMD_OVERRIDE_FLAGS_H_
