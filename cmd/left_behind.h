// What an upgrade leaves behind in the cluster, as apply deletes nothing without --prune.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::left_workload and left_images of the workloads that will be created: a Deployment may come where a StatefulSet of the same
// name runs. Asks nothing where all of the input is new. What may not be read counts as not there.
void FindLeftWorkloads(kube::Client& client, explain::Report& report);

// Sets who of others changed the data of what Pods no longer read (ObjectReport::unread), unless the input has it. What may not be
// read counts as not changed.
void FindUnreadChanges(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
