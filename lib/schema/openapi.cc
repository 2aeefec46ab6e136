#include "schema/openapi.h"

#include <utility>

#include "schema/facts/builtin_facts.h"
#include "schema/openapi_paths.h"
#include "schema/openapi_types.h"
#include "schema/reading.h"
#include "schema/unions.h"

namespace smp {

namespace {

bool TakesStrategicPatchV3(const Value& operation) {
  return operation.FindPath({"requestBody", "content", kStrategicMergePatch}) != nullptr;
}

}  // namespace

Result<std::shared_ptr<const Schema>> CompileOpenApiV3(const Value& document) {
  if (!document.is_object()) return Error::Schema("invalid OpenAPI document: it must be a JSON object");
  auto schema = std::make_shared<Schema>();
  schema->SetRelease(ReleaseOf(document));
  if (const Value* components = document.FindPath({"components", "schemas"}); components != nullptr) {
    if (!components->is_object()) {
      return Error::Schema("invalid OpenAPI document: components.schemas must be an object");
    }
    SMP_TRY(CompileTypes(*components, "#/components/schemas/", *schema));
    AddBuiltinUnions(*schema);
    AddBuiltinFacts(*schema);
  }
  if (const Value* paths = document.Find("paths"); paths != nullptr && paths->is_object()) {
    AddResources(*paths, TakesStrategicPatchV3, *schema);
    ReadCustomResources(*schema);
  }
  return std::shared_ptr<const Schema>(std::move(schema));
}

}  // namespace smp
