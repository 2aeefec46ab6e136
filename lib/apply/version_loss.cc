#include "apply/version_loss.h"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "schema/check.h"
#include "schema/definition.h"
#include "smp/defaulting.h"
#include "smp/meaning.h"
#include "value/at.h"
#include "value/json.h"
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

// Returns the value without what is at the path. `path` is that of a field, which may be in an item of a list.
Value WithoutField(const Value& value, std::span<const PathStep> path, Arena& arena) {
  if (value.is_array()) {
    std::vector<Value> items(value.Items().begin(), value.Items().end());
    for (size_t i = 0; i < items.size(); ++i) {
      const bool is_it = NamesItem(path.front(), items[i], static_cast<int64_t>(i));
      if (is_it) items[i] = WithoutField(items[i], path.subspan(1), arena);
    }
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& member : value.Members()) {
    const bool is_it = member.name == path.front().name;
    if (is_it && path.size() == 1) continue;
    members.push_back(is_it ? Member{member.name, WithoutField(member.value, path.subspan(1), arena)} : member);
  }
  return arena.SortedObject(members);
}

Document WithoutFields(const Document& object, const std::vector<FieldPath>& paths) {
  Arena arena;
  arena.Retain(object);
  Value root = object.root();
  for (const FieldPath& path : paths) root = WithoutField(root, path, arena);
  return Document(std::move(arena), root);
}

// A server-side apply stores the object, even if nothing else changes.
bool Writes(const Prepared& prepared) {
  return !prepared.patch || !prepared.patch->empty() || (prepared.server_side && !prepared.mode.server_side);
}

// Returns the versions, other than the manifest's, that are served and in which objects are stored, or were until they are written again.
std::set<std::string> StoredVersions(const Value& definition, const GroupVersionKind& gvk) {
  std::set<std::string> stored;
  for (const std::string& version : TextsAt(definition, {"status", "storedVersions"})) stored.insert(version);
  stored.emplace(StoredVersion(definition));
  std::set<std::string> out;
  for (const DefinedKind& kind : KindsOfDefinition(definition)) {
    const std::string& version = kind.resource.gvk.version;
    if (kind.served && version != gvk.version && stored.contains(version)) out.insert(version);
  }
  return out;
}

// Leaves out the fields that have the default of their version: they are there again after a write without them.
void LeaveOutDefaults(const Document& object, const Schema& schema, TypeId type, std::vector<FieldPath>& lost) {
  const Document without = WithoutFields(object, lost);
  Arena arena;
  const Value after =
      AsStored(without.root(), nullptr, PlaceOf(schema, nullptr, type, schema.type(type).storage), arena);
  std::erase_if(lost, [&](const FieldPath& path) {
    return SameOrBothAbsent(ValueAt(object.root(), path), ValueAt(after, path));
  });
}

// Returns what live has in another version, and the manifest's has no place for. The CRD tells: what the server publishes lags behind it.
LostFields FieldsLost(const Prepared& prepared, const Value& definition, const GroupVersionKind& other,
                      kube::Client& client) {
  const kube::ObjectRef& ref = prepared.ref;
  const Result<Document> live = client.Get({other, ref.plural, ref.name_space, ref.name});
  const auto own = CompileDefinition(definition, ref.gvk.version),
             others = CompileDefinition(definition, other.version);
  if (!live.ok() || !own.ok() || !others.ok()) return {};
  std::vector<FieldPath> lost = UnknownFieldsOf(*live, **own, (*own)->FindType(ref.gvk));
  const TypeId type = (*others)->FindType(other);
  if (!lost.empty() && type != kNoType) LeaveOutDefaults(*live, **others, type, lost);
  return {std::move(lost), *live};
}

}  // namespace

const Value* PlainDefinition(const kube::ObjectRef& ref, const Target& target) {
  const InputDefinitions::Kind* kind = KindToCome(target.definitions, ref.gvk);
  if (kind == nullptr || kind->definition == nullptr) return nullptr;
  const Value& definition = kind->definition->document.root();
  return IsConvertedByWebhook(definition) ? nullptr : &definition;
}

LostFields RemoveUnknownFields(const Prepared& prepared, Document& live) {
  LostFields lost = {UnknownFieldsOf(live, *prepared.schema, prepared.resource.type), live};
  live = WithoutFields(live, lost.paths);
  return lost;
}

void NoteLost(Prepared& prepared, const LostFields& lost, const std::string& version, std::string_view words) {
  if (lost.paths.empty() || !Writes(prepared)) return;
  std::vector<std::string> names;
  for (const FieldPath& path : lost.paths) {
    names.push_back(ToString(path));
    const Value* value = ValueAt(lost.object.root(), path);
    const bool counts = value != nullptr && path.front().name != "status";  // which changes all the time
    if (counts) prepared.lost_values += StrCat(names.back(), "\n", WriteJson(*value), "\n");
  }
  prepared.lost.insert(prepared.lost.end(), names.begin(), names.end());
  prepared.notes.push_back(StrCat(version, " has no place for ", NameSome(std::move(names), 3), words));
}

namespace {

// Notes the fields that the version in which objects are stored has no place for.
void NoteUnstored(Prepared& prepared, const GroupVersionKind& stored, const std::shared_ptr<const Schema>& schema) {
  if (stored == prepared.ref.gvk) return;
  const Document& object = prepared.patch ? prepared.patch->outcome : prepared.desired;
  NoteLost(prepared, {UnknownFieldsOf(object, *schema, schema->FindType(stored)), object}, stored.ApiVersion(),
           ", and objects are stored in this version: it is lost");
}

void NoteUnreadable(Prepared& prepared) {
  if (!prepared.live) return;
  prepared.notes.push_back(
      StrCat("its CRD, which has other versions, may not be read: nobody can tell whether live has fields that ",
             prepared.ref.gvk.ApiVersion(), " has no place for, and that this apply loses"));
}

}  // namespace

void NoteLossInStorage(Prepared& prepared, const Target& target) {
  const Value* definition = PlainDefinition(prepared.ref, target);
  if (definition == nullptr) return;
  const GroupVersionKind& gvk = prepared.ref.gvk;
  const GroupVersionKind stored = {gvk.group, std::string(StoredVersion(*definition)), gvk.kind};
  if (KindIn(target.definitions, stored) == nullptr) return;
  NoteUnstored(prepared, stored, target.definitions->SchemaOf(stored));
}

void NoteLossByWrite(Prepared& prepared, const Target& target) {
  if (prepared.resource.strategic || prepared.unserved || !Writes(prepared)) return;
  const GroupVersionKind& gvk = prepared.ref.gvk;
  const bool is_to_come = PlainDefinition(prepared.ref, target) != nullptr;  // NoteLossInStorage
  if (is_to_come || !target.schemas->HasOtherVersions(gvk)) return;
  const auto found = target.schemas->Definition(prepared.resource);
  if (!found.ok()) return NoteUnreadable(prepared);
  if (*found == nullptr || IsConvertedByWebhook((*found)->root())) return;
  const Value& definition = (*found)->root();
  const GroupVersionKind stored = {gvk.group, std::string(StoredVersion(definition)), gvk.kind};
  if (const auto schema = CompileDefinition(definition, stored.version); schema.ok()) {
    NoteUnstored(prepared, stored, *schema);
  }
  if (!prepared.live) return;
  for (const std::string& version : StoredVersions(definition, gvk)) {
    NoteLost(prepared, FieldsLost(prepared, definition, {gvk.group, version, gvk.kind}, *target.client),
             gvk.ApiVersion(),
             StrCat(", which live has as ", gvk.group, "/", version, ": the apply in this version loses it"));
  }
}

}  // namespace smp::apply
