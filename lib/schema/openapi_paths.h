// The paths of an OpenAPI document → resources: what versions 2 and 3 have in common. Private to openapi.cc and
// openapi_v2.cc.
#ifndef SMP_SCHEMA_OPENAPI_PATHS_H_
#define SMP_SCHEMA_OPENAPI_PATHS_H_

#include <functional>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";

// Of a PATCH operation: does it accept kStrategicMergePatch?
using TakesStrategicPatch = std::function<bool(const Value& operation)>;

// Adds the resources of `paths`, an object. REQUIRES: the types and kinds are in `schema` already.
void AddResources(const Value& paths, const TakesStrategicPatch& takes_strategic_patch, Schema& schema);

}  // namespace smp

#endif  // SMP_SCHEMA_OPENAPI_PATHS_H_
