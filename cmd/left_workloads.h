// Workloads that an upgrade leaves behind: it makes a Deployment where a StatefulSet of the same name runs, and apply deletes
// nothing without --prune.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::left_workload of the workloads that will be created. Asks nothing where all of the input is new. What may
// not be read counts as not there.
void FindLeftWorkloads(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
