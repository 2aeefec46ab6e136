// A CustomResourceDefinition is served a moment after it was created: what comes next in the input may be one of its
// kind.
#ifndef SMP_APPLY_ESTABLISHED_H_
#define SMP_APPLY_ESTABLISHED_H_

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"
#include "value/value.h"

namespace smp {

bool IsDefinition(const GroupVersionKind& gvk);  // of custom resources

// Returns when the server says Established and NamesAccepted, and makes `schemas` forget the group's versions. Error:
// server, naming the condition, when the names are refused, 30 s are over, or it was interrupted. REQUIRES: `ref` is a
// definition.
Status AwaitEstablished(Client& client, SchemaSource& schemas, const ObjectRef& ref, Clock& clock);

}  // namespace smp

#endif  // SMP_APPLY_ESTABLISHED_H_
