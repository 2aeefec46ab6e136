// Compiles the nodes of an OpenAPI document, version 2 or 3, to types. Only this file reads $ref, allOf and the
// `x-kubernetes-*` extensions of types. Private to openapi.cc and openapi_v2.cc.
#ifndef SMP_SCHEMA_OPENAPI_TYPES_H_
#define SMP_SCHEMA_OPENAPI_TYPES_H_

#include <string_view>

#include "base/result.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Adds the types and kinds of `components`, an object. A $ref begins with `ref_prefix` and names one of them. Error:
// schema, naming the component and field.
Status CompileTypes(const Value& components, std::string_view ref_prefix, Schema& schema);

// From one x-kubernetes-group-version-kind.
GroupVersionKind GvkOfExtension(const Value& extension);

}  // namespace smp

#endif  // SMP_SCHEMA_OPENAPI_TYPES_H_
