// StorageClasses and IngressClasses that become the default while another one is.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::other_defaults of those that become the default. Lists the classes of the server only if there is one; where they may
// not be listed, only those of the input count.
void FindOtherDefaults(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
