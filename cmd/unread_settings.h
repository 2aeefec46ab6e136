// ConfigMaps and Secrets that Pods no longer read: what others have set there takes effect no more.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets who of others changed the data of what Pods no longer read (ObjectReport::unread), unless the input has it. What may not be
// read counts as not changed.
void FindUnreadChanges(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
