#include "apply/version_loss.h"

#include "base/name_some.h"
#include "base/strings.h"
#include "schema/check.h"
#include "schema/definition.h"
#include "value/at.h"
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

bool Writes(const Prepared& prepared) { return !prepared.patch || !prepared.patch->empty(); }

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

}  // namespace smp::apply
