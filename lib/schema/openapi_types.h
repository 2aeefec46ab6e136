// Compiles the nodes of an OpenAPI document, version 2 or 3, to types. Only this file reads $ref, allOf and the
// `x-kubernetes-*` extensions of types. Private to openapi.cc and openapi_v2.cc.
#pragma once

#include <string_view>

#include "base/result.h"
#include "schema/openapi_paths.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Adds the types and kinds of `components`, an object. A $ref is `ref_prefix` plus the name of a component. Error:
// schema, naming the component and field.
Status CompileTypes(const Value& components, std::string_view ref_prefix, Schema& schema);

// Where a document of OpenAPI v2 or v3 has its types.
struct Components {
  const Value* value;  // nullptr: the document has none
  std::string_view name;
  std::string_view ref_prefix;
};

// Compiles a whole document: types, facts about built-in types, resources. Errors: schema (openapi.cc).
Status CompileDocument(const Value& document, const Components& components, const TakesStrategicPatch& takes_patch,
                       Schema& schema);

// Reads one element of x-kubernetes-group-version-kind.
GroupVersionKind GvkOfExtension(const Value& extension);

}  // namespace smp
