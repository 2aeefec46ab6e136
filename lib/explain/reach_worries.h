// Who can reach what: changed Services, Ingresses and NetworkPolicies.
#pragma once

#include "explain/report.h"
#include "explain/undone_worries.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds "selector app old → new, type LoadBalancer → NodePort, -ports 9090" of a Service.
void AddReach(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out);

// A changed policy may limit the traffic of the Pods that it selects, or allow more.
void AddTraffic(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out);

}  // namespace smp::explain
