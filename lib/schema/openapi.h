// Compiles OpenAPI v3 to a Schema. openapi_types.h and openapi_paths.h contain the code shared with v2 (openapi_v2.h).
#pragma once

#include <memory>

#include "base/result.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Compiles one document of /openapi/v3/… (a group-version). Error: schema, naming the component and field.
Result<std::shared_ptr<const Schema>> CompileOpenApiV3(const Value& document);

}  // namespace smp
