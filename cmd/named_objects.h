// Services, TLS Secrets and IngressClasses that objects newly name.
#pragma once

#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::no_service, no_certificate and no_class of objects that name what neither the input nor the server has. Asks for each once,
// and for the first ones where there are many; what may not be read counts as existing. A Certificate in the input makes the Secrets of its
// namespace.
void FindMissingNamed(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
