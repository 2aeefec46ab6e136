// What an upgrade leaves behind in the cluster, as apply deletes nothing without --prune.
#pragma once

#include "apply/manifests.h"
#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets Report::left of an upgrade: what kubectl or smp applied and the input does not have, if it has the name of an object of the input
// or a label such as app.kubernetes.io/name in common with one; in a namespace of its own, in which there is not more of the kind, also
// without. Looks for workloads and what usually stands beside them, in a few namespaces; where it may not, or there are more, `left` stays
// as it is. Sets ObjectReport::shares_hosts, too.
void FindLeftObjects(kube::Client& client, const apply::Manifests& manifests, explain::Report& report);

}  // namespace smp::cmd
