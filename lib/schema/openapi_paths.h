// Compiles the paths of an OpenAPI document, version 2 or 3, to resources. Private to openapi.cc and openapi_v2.cc.
#pragma once

#include <functional>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";

// Returns true if a PATCH operation accepts kStrategicMergePatch.
using TakesStrategicPatch = std::function<bool(const Value& operation)>;

// Adds the resources of `paths`, an object. REQUIRES: the types and kinds are in `schema` already.
void AddResources(const Value& paths, const TakesStrategicPatch& takes_strategic_patch, Schema& schema);

}  // namespace smp
