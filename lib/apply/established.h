// Waits for new CustomResourceDefinitions: the server serves the new kind only after a moment, and the next object of
// the input may be of that kind.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"

namespace smp::apply {

bool IsDefinition(const GroupVersionKind& gvk);  // true for CustomResourceDefinition

// Waits until the conditions Established and NamesAccepted are True, then calls schemas.Forget for the CRD's versions.
// Error: server, if the names are rejected, after 30 s, or if `clock` is interrupted. REQUIRES: `ref` is a CRD.
Status AwaitEstablished(kube::Client& client, kube::SchemaSource& schemas, const kube::ObjectRef& ref, Clock& clock);

}  // namespace smp::apply
