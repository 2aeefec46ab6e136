// New Pods that admission refuses although their workload is stored: by Pod Security, or by a quota.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::refused_pods of what starts Pods. Asks for the namespaces of Pods that a profile forbids, which are most, and for the
// quotas and LimitRanges of Pods that do not state all resources; what may not be read counts as not there.
// Source: plugin/pkg/admission/security/podsecurity, pkg/quota/v1/evaluator/core.
void FindRefusedPods(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
