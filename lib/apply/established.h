// The server serves the kind of a new CustomResourceDefinition only after a moment, and the next object of the input
// may be of that kind.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"

namespace smp::apply {

bool IsDefinition(const GroupVersionKind& gvk);  // true for CustomResourceDefinition

// Returns when the conditions Established and NamesAccepted are True, and makes `schemas` forget the group's versions.
// Error: server, naming the condition, if the names are refused, after 30 s, or if interrupted. REQUIRES: `ref` is a
// CRD.
Status AwaitEstablished(kube::Client& client, kube::SchemaSource& schemas, const kube::ObjectRef& ref, Clock& clock);

}  // namespace smp::apply
