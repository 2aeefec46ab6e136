#include "apply/input_definitions.h"

#include <string>
#include <string_view>
#include <vector>

#include "apply/admission_inputs.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "value/at.h"

namespace smp::apply {

namespace {

void AddKinds(const Manifest& definition, InputDefinitions& out) {
  for (DefinedKind& kind : KindsOfDefinition(definition.document.root())) {
    const GroupVersionKind gvk = kind.resource.gvk;
    out.kinds.insert_or_assign(gvk, InputDefinitions::Kind{std::move(kind.resource), kind.served, &definition});
  }
}

void AddApiService(const Value& api_service, InputDefinitions& out) {
  const std::string_view group = TextAt(api_service, {"spec", "group"});
  const std::string_view version = TextAt(api_service, {"spec", "version"});
  if (!group.empty() && !version.empty()) out.api_services.insert({std::string(group), std::string(version), ""});
}

void AddServed(const Manifest& manifest, InputDefinitions& out) {
  if (kube::IsDefinition(manifest.gvk)) AddKinds(manifest, out);
  if (kube::IsApiService(manifest.gvk)) AddApiService(manifest.document.root(), out);
}

std::shared_ptr<const Schema> Compiled(const InputDefinitions::Kind& kind) {
  const GroupVersionKind& gvk = kind.resource.gvk;
  if (kind.definition != nullptr) {
    auto compiled = CompileDefinition(kind.definition->document.root(), gvk.version);
    if (compiled.ok() && (*compiled)->FindResource(gvk) != nullptr) return *std::move(compiled);
  }
  auto fieldless = std::make_shared<Schema>();
  fieldless->AddResource(kind.resource);
  return fieldless;
}

}  // namespace

std::shared_ptr<const Schema> InputDefinitions::SchemaOf(const GroupVersionKind& kind) const {
  return *schemas_->Get(StrCat(kind.ApiVersion(), "/", kind.kind),
                        [&] { return Result<std::shared_ptr<const Schema>>(Compiled(kinds.at(kind))); });
}

const InputDefinitions::Kind* KindIn(const InputDefinitions* definitions, const GroupVersionKind& gvk) {
  if (definitions == nullptr) return nullptr;
  const auto at = definitions->kinds.find(gvk);
  return at == definitions->kinds.end() ? nullptr : &at->second;
}

const InputDefinitions::Kind* KindToCome(const InputDefinitions* definitions, const GroupVersionKind& gvk) {
  const InputDefinitions::Kind* kind = KindIn(definitions, gvk);
  return kind == nullptr || kind->stored ? nullptr : kind;
}

std::vector<GroupVersionKind> KindsBroughtBy(const Manifest& manifest) {
  InputDefinitions brought;
  AddServed(manifest, brought);
  std::vector<GroupVersionKind> out(brought.api_services.begin(), brought.api_services.end());
  for (const auto& [gvk, kind] : brought.kinds) {
    if (kind.served) out.push_back(gvk);
  }
  return out;
}

InputDefinitions DefinitionsOf(const Manifests& manifests) {
  InputDefinitions out;
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    AddServed(*manifest, out);
    if (kube::IsNamespace(manifest->gvk)) out.namespaces.insert(manifest->name);
    if (IsReadByAdmission(manifest->gvk)) out.read_by_admission.push_back(&*manifest);
  }
  return out;
}

void AddUnknownKinds(const Manifests& manifests, const Schema& known, InputDefinitions& definitions) {
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok() || known.FindResource(manifest->gvk) != nullptr) continue;
    definitions.kinds.try_emplace(manifest->gvk,
                                  InputDefinitions::Kind{{manifest->gvk, StrCat(ToLower(manifest->gvk.kind), "s")}});
  }
}

}  // namespace smp::apply
