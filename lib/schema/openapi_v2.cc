#include "schema/openapi_v2.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "schema/builtin.h"
#include "schema/openapi_types.h"

namespace smp {

namespace {

bool Names(const Value& media_types, std::string_view wanted) {
  if (!media_types.is_array()) return false;
  const auto items = media_types.Items();
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return item.is_string() && item.AsString() == wanted; });
}

// Reads "consumes" of the operation or, if absent, of the document: "This value overrides the consumes definition at
// the Swagger Object" (OpenAPI 2.0, Operation Object).
TakesStrategicPatch TakesStrategicPatchV2(const Value& swagger) {
  return [all = swagger.Find("consumes")](const Value& operation) {
    const Value* consumes = operation.Find("consumes");
    if (consumes == nullptr) consumes = all;
    return consumes != nullptr && Names(*consumes, kStrategicMergePatch);
  };
}

void BorrowDefaultsOfType(const Type& same, Schema& schema, TypeId id) {
  for (Field& field : schema.Mutable(id).fields) {
    if (field.default_value != nullptr) continue;
    const auto at = std::find_if(same.fields.begin(), same.fields.end(),
                                 [&](const Field& lent) { return lent.name == field.name && lent.kind == field.kind; });
    if (at != same.fields.end() && at->default_value != nullptr) field.default_value = schema.Own(*at->default_value);
  }
}

// Servers prune the defaults from v2 (kube-openapi, "PruneDefaults"). Without them, list items whose map keys have
// defaults (the protocol of a port) cannot be distinguished. The defaults of an API version never change.
void BorrowDefaults(const Schema& lender, Schema& schema) {
  ViewMap<TypeId> lent;
  for (TypeId id = 1; id < lender.type_count(); ++id) lent.emplace(lender.type(id).name, id);
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    const std::string& name = schema.type(id).name;
    if (const auto at = lent.find(name); !name.empty() && at != lent.end()) {
      BorrowDefaultsOfType(lender.type(at->second), schema, id);
    }
  }
}

}  // namespace

Result<std::shared_ptr<const Schema>> CompileOpenApiV2(const Value& swagger) {
  auto schema = std::make_shared<Schema>();
  SMP_TRY(CompileDocument(swagger, {swagger.Find("definitions"), "definitions", "#/definitions/"},
                          TakesStrategicPatchV2(swagger), *schema));
  BorrowDefaults(*BuiltinSchema(), *schema);
  return std::shared_ptr<const Schema>(std::move(schema));
}

}  // namespace smp
