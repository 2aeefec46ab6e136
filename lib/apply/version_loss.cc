#include "apply/version_loss.h"

#include <optional>
#include <set>
#include <string>

#include "base/name_some.h"
#include "base/strings.h"
#include "schema/check.h"
#include "schema/definition.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/path_match.h"

namespace smp::apply {

namespace {

// Returns the paths of fields for which the version has no place.
std::vector<FieldPath> UnknownFieldsOf(const Document& object, const Schema& schema, TypeId type) {
  std::vector<FieldPath> out;
  for (const TypeProblem& problem :
       FindTypeProblems(object, schema, type, UnknownFields::kFind, ValuesInMessages::kHide)) {
    const bool is_unknown = problem.kind == TypeProblem::Kind::kUnknownField && problem.path.front().name != "metadata";
    if (is_unknown) out.push_back(problem.path);
  }
  return out;
}

// A server-side apply stores the object, even if nothing else changes.
bool Writes(const Prepared& prepared) {
  return !prepared.patch || !prepared.patch->empty() || (prepared.server_side && !prepared.mode.server_side);
}

// Returns the versions in which others have set fields that live does not show in this one.
std::set<std::string> OtherVersionsOf(const Prepared& prepared) {
  std::set<std::string> out;
  for (const Value& entry : ManagedFields(prepared.live->root())) {
    const std::string_view version = entry.StringOr("apiVersion");
    const bool same_group = GroupOf(version) == prepared.ref.gvk.group;
    if (same_group && NamesFieldsOtherwise(entry, prepared.live->root())) out.emplace(version);
  }
  return out;
}

// Returns the resource in the version, if the CRD serves it.
std::optional<Resource> ServedAs(const Value& definition, const GroupVersionKind& gvk) {
  for (const DefinedKind& kind : KindsOfDefinition(definition)) {
    if (kind.served && kind.resource.gvk == gvk) return kind.resource;
  }
  return std::nullopt;
}

}  // namespace

const Value* PlainDefinition(const kube::ObjectRef& ref, const Target& target) {
  const InputDefinitions::Kind* kind = KindToCome(target.definitions, ref.gvk);
  if (kind == nullptr || kind->definition == nullptr) return nullptr;
  const Value& definition = kind->definition->document.root();
  return IsConvertedByWebhook(definition) ? nullptr : &definition;
}

std::vector<FieldPath> RemoveUnknownFields(const Prepared& prepared, Document& live) {
  std::vector<FieldPath> lost = UnknownFieldsOf(live, *prepared.schema, prepared.resource.type);
  Arena arena;
  arena.Retain(live);
  Value root = live.root();
  for (const FieldPath& path : lost) root = WithoutNamed(root, PathPattern(path.begin(), path.end()), arena);
  live = Document(std::move(arena), root);
  return lost;
}

void NoteLost(Prepared& prepared, const std::vector<FieldPath>& lost, const std::string& version,
              std::string_view words) {
  if (lost.empty() || !Writes(prepared)) return;
  std::vector<std::string> names;
  for (const FieldPath& path : lost) names.push_back(ToString(path));
  prepared.lost.insert(prepared.lost.end(), names.begin(), names.end());
  prepared.notes.push_back(StrCat(version, " has no place for ", NameSome(std::move(names), 3), words));
}

void NoteLossInStorage(Prepared& prepared, const Target& target) {
  const Value* definition = PlainDefinition(prepared.ref, target);
  if (definition == nullptr) return;
  const GroupVersionKind& gvk = prepared.ref.gvk;
  const GroupVersionKind stored = {gvk.group, std::string(StoredVersion(*definition)), gvk.kind};
  if (stored == gvk || KindIn(target.definitions, stored) == nullptr) return;
  const std::shared_ptr<const Schema> schema = target.definitions->SchemaOf(stored);
  const Document& object = prepared.patch ? prepared.patch->outcome : prepared.desired;
  NoteLost(prepared, UnknownFieldsOf(object, *schema, schema->FindType(stored)), stored.ApiVersion(),
           ", and objects will be stored in this version: it is lost");
}

void NoteLossByWrite(Prepared& prepared, const Target& target) {
  if (!prepared.live || prepared.resource.strategic || prepared.unserved || !Writes(prepared)) return;
  const std::set<std::string> versions = OtherVersionsOf(prepared);
  if (versions.empty()) return;
  const kube::ObjectRef& ref = prepared.ref;
  const Result<Document> definition = target.client->Get(kube::DefinitionRef(StrCat(ref.plural, ".", ref.gvk.group)));
  if (!definition.ok() || IsConvertedByWebhook(definition->root())) return;
  for (const std::string& version : versions) {
    const GroupVersionKind other = {ref.gvk.group, version.substr(version.find('/') + 1), ref.gvk.kind};
    if (!ServedAs(definition->root(), other)) continue;
    const Result<Document> live = target.client->Get({other, ref.plural, ref.name_space, ref.name});
    if (!live.ok()) continue;
    NoteLost(prepared, UnknownFieldsOf(*live, *prepared.schema, prepared.resource.type), ref.gvk.ApiVersion(),
             StrCat(", which live has as ", version, ": the apply in this version loses it"));
  }
}

}  // namespace smp::apply
