// What stands outside of the input and names ports that the apply takes away.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::ports_of_others of Services and workloads that lose ports: lists the Ingresses and Services in their namespaces, a few.
// What may not be read counts as not there.
void FindPortUsers(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
