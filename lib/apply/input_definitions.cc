#include "apply/input_definitions.h"

#include "apply/established.h"

namespace smp {

namespace {

std::shared_ptr<const Schema> SchemaOf(const Resource& resource) {
  auto schema = std::make_shared<Schema>();
  schema->AddResource(resource);
  return schema;
}

void AddKinds(const Value& definition, InputDefinitions& out) {
  const Value* names = definition.FindPath({"spec", "names"});
  const Value* versions = definition.FindPath({"spec", "versions"});
  if (names == nullptr || !names->is_object() || versions == nullptr || !versions->is_array()) return;
  const Value& spec = *definition.Find("spec");
  Resource resource;
  resource.plural = names->StringOr("plural");
  resource.namespaced = spec.StringOr("scope") == "Namespaced";
  for (const Value& version : versions->Items()) {
    if (!version.is_object()) continue;
    resource.gvk = {std::string(spec.StringOr("group")), std::string(version.StringOr("name")),
                    std::string(names->StringOr("kind"))};
    out.kinds[resource.gvk] = SchemaOf(resource);
  }
}

}  // namespace

InputDefinitions DefinitionsOf(const Manifests& manifests) {
  InputDefinitions out;
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    if (IsDefinition(manifest->gvk)) AddKinds(manifest->document.root(), out);
    if (manifest->gvk.group.empty() && manifest->gvk.kind == "Namespace") out.namespaces.insert(manifest->name);
  }
  return out;
}

}  // namespace smp
