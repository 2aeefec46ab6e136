#include "explain/hit_objects.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/name_some.h"
#include "base/strings.h"
#include "schema/check.h"
#include "schema/definition.h"
#include "schema/validation.h"
#include "smp/duplicates.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/path.h"

namespace smp::explain {

namespace {

constexpr size_t kMostFields = 2;  // of an object

bool IsOfStatus(const FieldPath& path) { return !path.empty() && path.front().name == "status"; }

std::string NameOf(const Value& object) {
  const std::string_view name_space = TextAt(object, {"metadata", "namespace"});
  return StrCat(name_space, name_space.empty() ? "" : "/", TextAt(object, {"metadata", "name"}));
}

// One version of a CRD.
struct CheckedVersion {
  std::shared_ptr<const Schema> types;
  TypeId type = kNoType;
  const Value* node = nullptr;  // openAPIV3Schema
};

std::optional<CheckedVersion> VersionOf(const Value& definition, const std::string& version) {
  const auto compiled = CompileDefinition(definition, version);
  if (!compiled.ok()) return std::nullopt;
  for (const DefinedKind& kind : KindsOfDefinition(definition)) {
    if (kind.resource.gvk.version != version) continue;
    return CheckedVersion{*compiled, (*compiled)->FindType(kind.resource.gvk), kind.schema};
  }
  return std::nullopt;
}

// What is wrong with an object by the schema of one version.
struct Problems {
  std::vector<std::string> unknown;                          // paths
  std::vector<std::pair<std::string, std::string>> invalid;  // path and message
  std::set<std::string> unchecked;                           // messages
};

Problems ProblemsOf(const Document& object, const CheckedVersion& version, Validator& validator) {
  Problems out;
  if (version.type == kNoType || version.node == nullptr) return out;
  const auto types =
      FindTypeProblems(object, *version.types, version.type, UnknownFields::kFind, ValuesInMessages::kShow);
  for (const TypeProblem& problem : types) {
    if (IsOfStatus(problem.path)) continue;
    if (problem.kind == TypeProblem::Kind::kUnknownField) out.unknown.push_back(ToString(problem.path));
    if (problem.kind == TypeProblem::Kind::kWrongType)
      out.invalid.emplace_back(ToString(problem.path), problem.message);
  }
  for (const DuplicateItems& same : FindDuplicateItems(object, *version.types, version.type)) {
    const bool counts = same.meaning == Duplicates::kRefused && !IsOfStatus(same.path);
    if (counts) out.invalid.emplace_back(ToString(same.path), "the list has this item more than once");
  }
  for (const Violation& violation : validator.Validate(object.root(), *version.node)) {
    const FieldPath path = ToFieldPath(violation.path);
    if (IsOfStatus(path)) continue;
    if (violation.kind == Violation::Kind::kUnchecked) {
      out.unchecked.insert(violation.message);
    } else {
      out.invalid.emplace_back(ToString(path), violation.message);
    }
  }
  return out;
}

void LeaveOut(const Problems& before, Problems& after) {
  std::set<std::string> old;
  for (const auto& [path, message] : before.invalid) old.insert(path);
  std::erase_if(after.invalid, [&](const auto& problem) { return old.contains(problem.first); });
  for (const std::string& message : before.unchecked) after.unchecked.erase(message);
}

// Returns the versions that `before` serves and `after` does not.
std::set<std::string> VersionsNoLongerServed(const Value& before, const Value& after) {
  std::set<std::string> out;
  for (const DefinedKind& then : KindsOfDefinition(before)) {
    if (then.served) out.insert(then.resource.gvk.ApiVersion());
  }
  for (const DefinedKind& now : KindsOfDefinition(after)) {
    if (now.served) out.erase(now.resource.gvk.ApiVersion());
  }
  return out;
}

void AddWriters(const Value& object, const std::set<std::string>& versions, NamesOnce& out) {
  for (const Value& entry : ManagedFields(object)) {
    if (versions.contains(std::string(entry.StringOr("apiVersion")))) out.Add(std::string(entry.StringOr("manager")));
  }
}

// Returns the version in which objects will be stored, if it is another one than they are read in, and no webhook converts them.
std::optional<CheckedVersion> OtherStorageOf(const Value& definition, const std::string& version) {
  const std::string stored(StoredVersion(definition));
  if (stored == version || IsConvertedByWebhook(definition)) return std::nullopt;
  return VersionOf(definition, stored);
}

// Adds "spec.b of shop/account". `when`: what is said behind it.
void AddLosing(std::vector<std::string> fields, const std::string& name, std::string_view when, HitObjects& out) {
  if (!fields.empty()) out.losing.push_back(StrCat(NameSome(std::move(fields), kMostFields), " of ", name, when));
}

// Adds "shop/account: spec: the field tenantID is required". `when`: as above.
void AddInvalid(const Problems& problems, const std::string& name, std::string_view when, HitObjects& out) {
  if (problems.invalid.empty()) return;
  const auto& [path, message] = problems.invalid.front();
  const size_t more = problems.invalid.size() - 1;
  out.invalid.push_back(StrCat(name, ": ", path, path.empty() ? "" : ": ", message,
                               more == 0 ? "" : StrCat(" and ", more, " more"), when));
}

bool Serves(const Value& definition, const std::string& version) {
  return std::ranges::any_of(KindsOfDefinition(definition), [&](const DefinedKind& kind) {
    return kind.served && kind.resource.gvk.version == version;
  });
}

// Returns the version in which objects of a version that is no longer served are read: the one that is stored. nullopt if a webhook decides
// what they then are.
std::optional<CheckedVersion> VersionInItsPlace(const Value& after) {
  return IsConvertedByWebhook(after) ? std::nullopt : VersionOf(after, std::string(StoredVersion(after)));
}

}  // namespace

std::optional<Resource> ResourceToRead(const Value& before, const Value& after) {
  std::optional<Resource> out;
  for (const DefinedKind& then : KindsOfDefinition(before)) {
    if (then.served && then.stored) return then.resource;  // in which they show all that they have
  }
  for (const DefinedKind& now : KindsOfDefinition(after)) {
    for (const DefinedKind& then : KindsOfDefinition(before)) {
      const bool in_both = then.resource.gvk == now.resource.gvk && then.served && now.served;
      if (!in_both) continue;
      if (!out || now.stored) out = then.resource;
    }
  }
  return out;
}

std::optional<HitObjects> FindHitObjects(const Value& before, const Value& after, const std::string& version,
                                         std::span<const Document> objects) {
  const bool goes = Serves(before, version) && !Serves(after, version);
  const auto then = VersionOf(before, version), now = goes ? VersionInItsPlace(after) : VersionOf(after, version);
  if (!then || !now) return std::nullopt;
  HitObjects out;
  NamesOnce writers;
  const std::set<std::string> versions = VersionsNoLongerServed(before, after);
  const auto stored = goes ? std::nullopt : OtherStorageOf(after, version);
  // The server validates by the version in which an object is written.
  const std::string stored_name(StoredVersion(after)), written_in_stored = StrCat(" (written in ", stored_name, ")");
  const bool is_new = !Serves(before, stored_name) && Serves(after, stored_name);
  Validator validator;
  for (const Document& object : objects) {
    AddWriters(object.root(), versions, writers);
    Problems problems = ProblemsOf(object, *now, validator);
    const Problems old = ProblemsOf(object, *then, validator);
    LeaveOut(old, problems);
    const std::string name = NameOf(object.root());
    if (stored) {
      Problems in_stored = ProblemsOf(object, *stored, validator);
      LeaveOut(old, in_stored);
      if (problems.unknown.empty()) AddLosing(std::move(in_stored.unknown), name, " (at its next write)", out);
      if (is_new && problems.invalid.empty()) AddInvalid(in_stored, name, written_in_stored, out);
    }
    AddLosing(std::move(problems.unknown), name, "", out);
    AddInvalid(problems, name, "", out);
    out.unchecked |= !problems.unchecked.empty();
  }
  out.writers = writers.all();
  return out;
}

}  // namespace smp::explain
