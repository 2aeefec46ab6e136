#include "explain/states.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "smp/defaulting.h"
#include "smp/foretold_object.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

constexpr std::string_view kDataOfSecrets[] = {"data", "stringData"};

Value WithoutNoise(const Value& object, bool managed_fields, Arena& arena) {
  Value without = WithoutAt(WithoutServerFields(object, arena), {"metadata", "annotations"},
                            {kLastAppliedAnnotation, kTemplateGenerationAnnotation}, arena);
  const Value* owners = managed_fields ? object.FindPath({"metadata", "managedFields"}) : nullptr;
  if (owners != nullptr) without = WithAt(without, {"metadata", "managedFields"}, *owners, arena);
  const Value* annotations = without.FindPath({"metadata", "annotations"});
  const bool none = annotations != nullptr && annotations->is_object() && annotations->empty();
  return none ? WithoutAt(without, {"metadata"}, {"annotations"}, arena) : without;
}

// As kubectl diff masks them: a value that changes is "*** (before)" or "*** (after)", any other "***".
Value MaskedData(const Value& data, const Value* other, std::string_view changed, Arena& arena) {
  std::vector<Member> out;
  for (const Member& member : data.Members()) {
    const Value* there = other == nullptr ? nullptr : other->Find(member.name);
    const bool differs = there != nullptr && !(*there == member.value);
    out.push_back({member.name, Value::UnownedString(differs ? changed : "***")});
  }
  return arena.SortedObject(out);
}

Value Masked(const Value& secret, const Value& other, std::string_view changed, Arena& arena) {
  Value out = RedactedAt({}, secret, secret, Digests::kHide, arena);
  for (const std::string_view name : kDataOfSecrets) {
    const Value* data = secret.Find(name);
    if (data == nullptr || !data->is_object()) continue;
    out = WithAt(out, {name}, MaskedData(*data, other.Find(name), changed, arena), arena);
  }
  return out;
}

// Takes the noise out and masks. A null stands for an object that does not exist.
ObjectStates Shown(const Value& before, const Value& after, const StateOptions& options, Arena arena) {
  Value shown_before = WithoutNoise(before, options.managed_fields, arena);
  Value shown_after = WithoutNoise(after, options.managed_fields, arena);
  if (options.secrets == Secrets::kMask && (IsSecret(before) || IsSecret(after))) {
    const std::vector<Value> masked = {Masked(shown_before, shown_after, "*** (before)", arena),
                                       Masked(shown_after, shown_before, "*** (after)", arena)};
    const std::vector<Value> without = WithoutCopies(masked, {&before, &after}, arena);
    shown_before = without[0];
    shown_after = without[1];
  }
  return {shown_before, shown_after, Document(std::move(arena), Value())};
}

}  // namespace

ObjectStates StatesOfChange(const Document& live, const VerifiedPatch& patch, const KindOfObject& kind,
                            const std::optional<Document>& answer, const StateOptions& options) {
  Arena arena;
  for (const Document& part : {live, patch.outcome}) arena.Retain(part);
  if (answer) arena.Retain(*answer);
  const Value after = answer ? answer->root() : ForetoldObject(patch, live.root(), *kind.schema, kind.type, arena);
  return Shown(live.root(), after, options, std::move(arena));
}

ObjectStates StatesOfCreation(const Document& manifest, const KindOfObject& kind, const std::optional<Document>& answer,
                              const StateOptions& options) {
  Arena arena;
  arena.Retain(answer ? *answer : manifest);
  const Value after =
      answer ? answer->root() : AsStored(manifest.root(), nullptr, PlaceOfObject(*kind.schema, kind.type), arena);
  return Shown(Value(), after, options, std::move(arena));
}

ObjectStates StatesOfRecreation(const Document& manifest, const Document& live, const KindOfObject& kind,
                                const StateOptions& options) {
  Arena arena;
  for (const Document& part : {live, manifest}) arena.Retain(part);
  const Value after = StoredAnew(manifest.root(), live.root(), PlaceOfObject(*kind.schema, kind.type), arena);
  return Shown(live.root(), after, options, std::move(arena));
}

ObjectStates StatesOfPruned(const Document& live, const StateOptions& options) {
  Arena arena;
  arena.Retain(live);
  return Shown(live.root(), Value(), options, std::move(arena));
}

}  // namespace smp::explain
