// Compiles OpenAPI v2 (swagger) to a Schema, for servers before 1.24. One document describes all kinds, while v3 has
// one for each group-version. The schema lacks what v2 cannot express: defaults, and everything at and below a node of
// a custom resource that is nullable or preserves unknown fields.
#pragma once

#include <memory>

#include "base/result.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Compiles the document of /openapi/v2. Defaults of built-in types are taken from the built-in schema. Error: schema,
// naming the component and field.
Result<std::shared_ptr<const Schema>> CompileOpenApiV2(const Value& swagger);

}  // namespace smp
