// Services that changed settings name.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::no_service of changed settings that name a Service which neither the input nor the server has. Asks for each
// once, and nothing where there are many; what may not be read counts as existing.
void FindMissingNamed(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
