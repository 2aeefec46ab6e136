#include "apply/input_definitions.h"

#include <string>
#include <string_view>
#include <vector>

#include "apply/admission_inputs.h"
#include "apply/await_served.h"
#include "value/at.h"

namespace smp::apply {

namespace {

std::shared_ptr<const Schema> SchemaOf(const Resource& resource) {
  auto schema = std::make_shared<Schema>();
  schema->AddResource(resource);
  return schema;
}

std::vector<std::string> SubresourcesOf(const Value& version) {
  const Value* subresources = version.Find("subresources");
  if (subresources == nullptr || !subresources->is_object()) return {};
  std::vector<std::string> out;
  for (const Member& m : subresources->Members()) out.emplace_back(m.name);
  return out;
}

void AddKinds(const Value& definition, InputDefinitions& out) {
  const Value* names = definition.FindPath({"spec", "names"});
  if (names == nullptr || !names->is_object()) return;
  Resource resource;
  resource.plural = names->StringOr("plural");
  resource.namespaced = TextAt(definition, {"spec", "scope"}) == "Namespaced";
  for (const Value& version : ItemsAt(definition, {"spec", "versions"})) {
    if (!version.is_object()) continue;
    resource.gvk = {std::string(TextAt(definition, {"spec", "group"})), std::string(version.StringOr("name")),
                    std::string(names->StringOr("kind"))};
    resource.subresources = SubresourcesOf(version);
    out.kinds[resource.gvk] = SchemaOf(resource);
  }
}

void AddApiService(const Value& api_service, InputDefinitions& out) {
  const std::string_view group = TextAt(api_service, {"spec", "group"});
  const std::string_view version = TextAt(api_service, {"spec", "version"});
  if (!group.empty() && !version.empty()) out.api_services.insert({std::string(group), std::string(version), ""});
}

void AddServed(const Manifest& manifest, InputDefinitions& out) {
  if (IsDefinition(manifest.gvk)) AddKinds(manifest.document.root(), out);
  if (IsApiService(manifest.gvk)) AddApiService(manifest.document.root(), out);
}

}  // namespace

std::vector<GroupVersionKind> KindsBroughtBy(const Manifest& manifest) {
  InputDefinitions brought;
  AddServed(manifest, brought);
  std::vector<GroupVersionKind> out(brought.api_services.begin(), brought.api_services.end());
  for (const auto& [kind, schema] : brought.kinds) out.push_back(kind);
  return out;
}

InputDefinitions DefinitionsOf(const Manifests& manifests) {
  InputDefinitions out;
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    AddServed(*manifest, out);
    if (manifest->gvk.group.empty() && manifest->gvk.kind == "Namespace") out.namespaces.insert(manifest->name);
    if (IsReadByAdmission(manifest->gvk)) out.read_by_admission.push_back(&*manifest);
  }
  return out;
}

}  // namespace smp::apply
