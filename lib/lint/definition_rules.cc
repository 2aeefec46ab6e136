#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "apply/check_manifest.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "schema/definition.h"
#include "schema/validation.h"
#include "smp/defaulting.h"
#include "value/at.h"
#include "value/path_match.h"

namespace smp::lint {

namespace {

std::string_view RuleOf(Violation::Kind kind) {
  switch (kind) {
    case Violation::Kind::kMissing: return "missing-field";
    case Violation::Kind::kChoice: return "invalid-choice";
    case Violation::Kind::kPattern: return "pattern";
    case Violation::Kind::kRange: return "out-of-range";
    case Violation::Kind::kAlternative: return "schema-rule";
    case Violation::Kind::kUnchecked: return "unchecked-rule";
  }
  return "";
}

// Returns the openAPIV3Schema of the object's version; nullptr if its CRD states none.
const Value* SchemaOf(const Object& object) {
  for (const Value& version : ItemsAt(object.kind->definition->root(), {"spec", "versions"})) {
    if (version.StringOr("name") == object.gvk.version) return version.FindPath({"schema", "openAPIV3Schema"});
  }
  return nullptr;
}

// Two rules see fields that exclude each other: the one that names them counts.
bool IsSaidAlready(const Sink& sink, const Violation& violation, const std::string& path) {
  if (violation.kind != Violation::Kind::kAlternative) return false;
  return std::ranges::any_of(sink.findings(), [&](const Finding& finding) {
    return finding.rule->code == "exclusive-fields" && finding.path.starts_with(path);
  });
}

bool IsOfStatus(const Violation& violation) {
  return !violation.path.empty() && violation.path.front().name == "status";
}

void SayViolation(Sink& sink, const Violation& violation) {
  FieldPath path = ToFieldPath(violation.path);
  if (IsSaidAlready(sink, violation, ToString(path))) return;
  const Value* at = ValueAt(sink.object().root(), path);
  const bool missing = violation.kind == Violation::Kind::kMissing;
  const bool names_value = violation.kind == Violation::Kind::kChoice || violation.kind == Violation::Kind::kPattern ||
                           violation.kind == Violation::Kind::kRange;
  sink.Add({.rule = RuleOf(violation.kind),
            .at = at,
            .path = std::move(path),
            .mark = missing ? Mark::kKey : Mark::kValue,
            .message = names_value && violation.at->is_scalar()
                           ? StrCat(ShownValue(*violation.at), " ", violation.message)
                           : violation.message,
            .advice = violation.advice});
}

}  // namespace

void CheckDefinition(Sink& sink, Validator& validator) {
  const Object& object = sink.object();
  if (!object.has_type() || object.kind->definition == nullptr) return;
  const Value* schema = SchemaOf(object);
  if (schema == nullptr) return;
  const Place place = PlaceOfObject(*object.kind->schema, object.kind->resource.type);
  Arena arena;
  // The server fills in defaults before it validates.
  const Value stored = AsStored(object.root(), nullptr, place, arena);
  const bool drops_status = apply::DropsStatus(object.kind->resource);
  for (const Violation& violation : validator.Validate(stored, *schema)) {
    if (!drops_status || !IsOfStatus(violation)) SayViolation(sink, violation);
  }
}

}  // namespace smp::lint
