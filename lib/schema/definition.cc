#include "schema/definition.h"

#include <algorithm>
#include <string>
#include <utility>

#include "schema/builtin.h"
#include "schema/openapi_types.h"
#include "schema/reading.h"
#include "value/at.h"
#include "value/document.h"

namespace smp {

namespace {

constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
constexpr std::string_view kRefPrefix = "#/components/schemas/";

std::vector<std::string> SubresourcesOf(const Value& version) {
  const Value* subresources = version.Find("subresources");
  if (subresources == nullptr || !subresources->is_object()) return {};
  std::vector<std::string> out;
  for (const Member& m : subresources->Members()) out.emplace_back(m.name);
  return out;
}

bool IsFalse(const Value* value) { return value != nullptr && value->is_bool() && !value->AsBool(); }

void SetField(Type& type, Field field) {
  const auto before = [](const Field& a, const Field& b) { return a.name < b.name; };
  const auto at = std::lower_bound(type.fields.begin(), type.fields.end(), field, before);
  if (at != type.fields.end() && at->name == field.name) {
    *at = std::move(field);
  } else {
    type.fields.insert(at, std::move(field));
  }
}

// Gives each type of an object (the root, and those with x-kubernetes-embedded-resource) the fields that all objects have.
// The server does so, too, and replaces what the CRD says of them (addEmbeddedProperties of apiextensions-apiserver).
void AddFieldsOfObjects(Schema& schema, TypeId root) {
  const TypeId end = static_cast<TypeId>(schema.type_count());
  const TypeId text = schema.Add({.kind = TypeKind::kString});
  const TypeId metadata = schema.Import(*BuiltinSchema(), BuiltinSchema()->FindTypeByName(kObjectMeta));
  for (TypeId id = 1; id < end; ++id) {
    Type& type = schema.Mutable(id);
    if (id != root && !type.embedded) continue;
    for (const char* name : {"apiVersion", "kind"})
      SetField(type, {.name = name, .type = text, .kind = TypeKind::kString});
    SetField(type, {.name = "metadata", .type = metadata, .kind = TypeKind::kObject});
  }
}

// Returns the type of the objects of a version. `preserves_all`: the server keeps unknown fields everywhere.
Result<TypeId> CompileObject(const DefinedKind& kind, bool preserves_all, Schema& schema) {
  if (kind.schema == nullptr) return kNoType;
  Arena arena;
  SMP_TRY(CompileTypes(arena.Object({{kind.resource.gvk.kind, *kind.schema}}), kRefPrefix, schema));
  const TypeId root = schema.FindTypeByName(kind.resource.gvk.kind);
  for (TypeId id = 1; preserves_all && id < schema.type_count(); ++id) schema.Mutable(id).preserve_unknown = true;
  AddFieldsOfObjects(schema, root);
  return root;
}

}  // namespace

std::vector<DefinedKind> KindsOfDefinition(const Value& definition) {
  std::vector<DefinedKind> out;
  const Value* names = definition.FindPath({"spec", "names"});
  if (names == nullptr || !names->is_object()) return out;
  for (const Value& version : ItemsAt(definition, {"spec", "versions"})) {
    if (!version.is_object()) continue;
    DefinedKind& kind = out.emplace_back();
    kind.resource.gvk = {std::string(TextAt(definition, {"spec", "group"})), std::string(version.StringOr("name")),
                         std::string(names->StringOr("kind"))};
    kind.resource.plural = names->StringOr("plural");
    kind.resource.namespaced = TextAt(definition, {"spec", "scope"}) == "Namespaced";
    kind.resource.subresources = SubresourcesOf(version);
    kind.served = !IsFalse(version.Find("served"));
    kind.stored = IsTrueAt(version, {"storage"});
    kind.schema = version.FindPath({"schema", "openAPIV3Schema"});
  }
  return out;
}

const Value* VersionOfDefinition(const Value& definition, std::string_view version) {
  const auto versions = ItemsAt(definition, {"spec", "versions"});
  const auto at =
      std::ranges::find_if(versions, [&](const Value& v) { return v.is_object() && v.StringOr("name") == version; });
  return at == versions.end() ? nullptr : &*at;
}

std::string_view StoredVersion(const Value& definition) {
  for (const Value& version : ItemsAt(definition, {"spec", "versions"})) {
    if (version.is_object() && IsTrueAt(version, {"storage"})) return version.StringOr("name");
  }
  return {};
}

bool IsConvertedByWebhook(const Value& definition) {
  return TextAt(definition, {"spec", "conversion", "strategy"}) == "Webhook";
}

Result<std::shared_ptr<const Schema>> CompileDefinition(const Value& definition, std::string_view version) {
  auto schema = std::make_shared<Schema>();
  const bool preserves_all = IsTrueAt(definition, {"spec", "preserveUnknownFields"});
  for (const DefinedKind& kind : KindsOfDefinition(definition)) {
    if (kind.resource.gvk.version != version || schema->FindResource(kind.resource.gvk) != nullptr) continue;
    Resource resource = kind.resource;
    SMP_ASSIGN(resource.type, CompileObject(kind, preserves_all, *schema));
    if (resource.type != kNoType) schema->AddKind(resource.gvk, resource.type);
    schema->AddResource(resource);
  }
  ReadCustomResources(*schema);
  return std::shared_ptr<const Schema>(std::move(schema));
}

}  // namespace smp
