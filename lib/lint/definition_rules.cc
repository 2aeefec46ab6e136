#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "apply/check_manifest.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "schema/definition.h"
#include "schema/facts/values.h"
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
    case Violation::Kind::kTime: return "invalid-time";
    case Violation::Kind::kBytes: return "invalid-base64";
    case Violation::Kind::kRange: return "out-of-range";
    case Violation::Kind::kAlternative: return "schema-rule";
    case Violation::Kind::kUnchecked: return "unchecked-rule";
  }
  return "";
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
  const bool names_value =
      !missing && violation.kind != Violation::Kind::kAlternative && violation.kind != Violation::Kind::kUnchecked;
  sink.Add({.rule = RuleOf(violation.kind),
            .at = at,
            .path = std::move(path),
            .mark = missing ? Mark::kKey : Mark::kValue,
            .message = names_value && violation.at->is_scalar()
                           ? StrCat(ShownValue(*violation.at), " ", violation.message)
                           : violation.message,
            .advice = violation.advice});
}

void CheckName(Sink& sink) {
  const Object& object = sink.object();
  if (object.name.empty() || HasForm(object.name, "dns-subdomain")) return;
  sink.Add({.rule = "invalid-name",
            .at = object.root().FindPath({"metadata", "name"}),
            .path = {PathStep::Field("metadata"), PathStep::Field("name")},
            .message = StrCat(ShownValue(Value::UnownedString(object.name)), " is not a valid name"),
            .advice = StrCat("use ", DescribeForm("dns-subdomain"))});
}

}  // namespace

void CheckDefinition(Sink& sink, Validator& validator) {
  const Object& object = sink.object();
  if (!object.has_type() || object.kind->definition == nullptr) return;
  CheckName(sink);
  const Value* schema = DefinedSchema(object);
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
