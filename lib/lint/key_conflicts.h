// Lists whose items kubectl pairs by other keys than those that the server identifies them by.
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"

namespace smp::lint {

struct KeyConflict {
  GroupVersionKind gvk;
  std::string path;  // "spec.ports"
  std::string type;  // that has the field: "io.k8s.api.core.v1.ServiceSpec"
  const Field* field = nullptr;
};

// Returns those of a resource, in the order of their paths. A type that has itself as a part is entered once.
std::vector<KeyConflict> KeyConflictsOf(const Schema& schema, const Resource& resource);

}  // namespace smp::lint
