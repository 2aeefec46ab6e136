// Waits for kinds that the input itself brings: the server serves a new kind only a moment after its
// CustomResourceDefinition or APIService was written.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"

namespace smp::apply {

// Waits until discovery lists the kind, then calls schemas.Forget for its group-version. `definition`: the CRD or the
// APIService that brings it. Error: server, if the names of the CRD are rejected, after 30 s, or if `clock` is interrupted.
Status AwaitServed(kube::Client& client, kube::SchemaSource& schemas, const GroupVersionKind& kind,
                   const kube::ObjectRef& definition, Clock& clock);

}  // namespace smp::apply
