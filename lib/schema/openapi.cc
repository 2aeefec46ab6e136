#include "schema/openapi.h"

#include <utility>

#include "base/strings.h"
#include "schema/facts/builtin_facts.h"
#include "schema/openapi_types.h"
#include "schema/reading.h"

namespace smp {

namespace {

bool TakesStrategicPatchV3(const Value& operation) {
  return operation.FindPath({"requestBody", "content", kStrategicMergePatch}) != nullptr;
}

}  // namespace

Status CompileDocument(const Value& document, const Components& components, const TakesStrategicPatch& takes_patch,
                       Schema& schema) {
  if (!document.is_object()) return Error::Schema("invalid OpenAPI document: it must be a JSON object");
  schema.SetRelease(ReleaseOf(document));
  if (components.value != nullptr) {
    if (!components.value->is_object()) {
      return Error::Schema(StrCat("invalid OpenAPI document: ", components.name, " must be an object"));
    }
    SMP_TRY(CompileTypes(*components.value, components.ref_prefix, schema));
    AddBuiltinFacts(schema);
  }
  if (const Value* paths = document.Find("paths"); paths != nullptr && paths->is_object()) {
    AddResources(*paths, takes_patch, schema);
    ReadCustomResources(schema);
  }
  return Ok();
}

Result<std::shared_ptr<const Schema>> CompileOpenApiV3(const Value& document) {
  const Value* components = document.FindPath({"components", "schemas"});
  auto schema = std::make_shared<Schema>();
  SMP_TRY(CompileDocument(document, {components, "components.schemas", "#/components/schemas/"}, TakesStrategicPatchV3,
                          *schema));
  return std::shared_ptr<const Schema>(std::move(schema));
}

}  // namespace smp
