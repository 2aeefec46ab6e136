// Custom resources that exist, and that a role of the input may no longer read: whoever acted on them acts no more.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets RoleFacts::unread of the roles that lose the right to read custom resources. Asks nothing if there are none. What may not be read
// counts as not there.
void FindUnreadObjects(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
