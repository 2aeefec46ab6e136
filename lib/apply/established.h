// A CustomResourceDefinition is served a moment after it was created: what comes next in the input may be one of its
// kind.
#ifndef SMP_APPLY_ESTABLISHED_H_
#define SMP_APPLY_ESTABLISHED_H_

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"
#include "value/value.h"

namespace smp {

bool IsDefinition(const GroupVersionKind& gvk);  // of custom resources

// Returns when the server says Established and NamesAccepted, and makes `schemas` forget the group's versions. Error:
// server, naming the condition, when the names are refused or 30 s are over. REQUIRES: `ref` is a definition.
// `sleep_ms` is the clock's seam; empty: real sleeping.
Status AwaitEstablished(Client& client, SchemaSource& schemas, const ObjectRef& ref,
                        const std::function<void(int64_t)>& sleep_ms = {});

}  // namespace smp

#endif  // SMP_APPLY_ESTABLISHED_H_
