// --policy, --member-cluster and the other flags with which a command overrides manifests before it uses them.
#ifndef SMP_CMD_OVERRIDE_FLAGS_H_
#define SMP_CMD_OVERRIDE_FLAGS_H_

#include <string>
#include <vector>

#include "apply/manifests.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"
#include "karmada/member_cluster.h"
#include "karmada/override.h"

namespace smp {

// --policy and the flags that describe the member cluster.
std::vector<Flag> OverrideFlagTable();
// The same for commands that use the manifests afterwards: with --override as another name of --policy.
std::vector<Flag> OverrideStepFlagTable();

// Applies the policies of --policy and --override to each manifest; one that fails is replaced by its error. Without
// policies the manifests stay as they are. Notes (such as a selector that selects nothing) go to io.err. Error: a
// policy or the description of the member cluster is invalid; then nothing may be done.
Status OverrideManifests(const ParsedFlags& flags, Manifests& manifests, Io& io);

// Adds policy, rule and operation to the report rows of what policies wrote.
void AddPolicySources(const Manifest& manifest, ObjectReport& report);

}  // namespace smp

#endif  // SMP_CMD_OVERRIDE_FLAGS_H_
