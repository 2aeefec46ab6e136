// Labels of nodes that new Pods need.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Divides PodFacts::nodes of the objects that start Pods: what no node has goes to no_node, and what some node has goes. Each label
// is asked for once; where nodes may not be listed, or for many labels, all stays as it is.
void FindNodes(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
