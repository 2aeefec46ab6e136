#include "schema/openapi.h"

#include <algorithm>
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

bool IsListOfMaps(const Schema& schema, const Field& field) {
  return field.is_list && !schema.type(field.type).fields.empty();
}

// Calls `is` with each field of the types; returns true if it is for one.
template <class Predicate>
bool AnyField(const Schema& schema, Predicate is) {
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    const std::vector<Field>& fields = schema.type(id).fields;
    if (std::any_of(fields.begin(), fields.end(), is)) return true;
  }
  return false;
}

// Returns true if the document does not state how lists are merged: of a server whose Go types it describes without their
// tags. A strategic merge patch by this document could leave items that the manifest does not have.
bool HidesHowListsAreMerged(const Schema& schema) {
  return AnyField(schema, [&](const Field& field) { return IsListOfMaps(schema, field); }) &&
         !AnyField(schema, [](const Field& field) { return field.strategy != PatchRule(); });
}

bool TakesNone(const Value&) { return false; }

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
    AddResources(*paths, HidesHowListsAreMerged(schema) ? TakesStrategicPatch(TakesNone) : takes_patch, schema);
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
