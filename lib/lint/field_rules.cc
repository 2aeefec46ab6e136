#include <string>
#include <string_view>
#include <utility>

#include "apply/check_manifest.h"
#include "base/strings.h"
#include "edit/scalar_text.h"
#include "lint/checks.h"
#include "schema/builtin.h"
#include "schema/check.h"
#include "value/json.h"
#include "yaml/yaml_scalar.h"

namespace smp::lint {

namespace {

std::string_view RuleOf(TypeProblem::Kind kind) {
  switch (kind) {
    case TypeProblem::Kind::kWrongType: return "wrong-type";
    case TypeProblem::Kind::kUnknownField: return "unknown-field";
    case TypeProblem::Kind::kExclusive: return "exclusive-fields";
    case TypeProblem::Kind::kNotBase64: return "invalid-base64";
  }
  return "";
}

bool WantsText(TypeKind kind) {
  return kind == TypeKind::kString || kind == TypeKind::kTime || kind == TypeKind::kBytes;
}

// Returns the text of a plain scalar as it is written; "" if it is something else, or must not be shown.
std::string_view WrittenPlain(Sink& sink, const TypeProblem& problem) {
  const edit::TextNode* node = sink.NodeOf(problem.at);
  const bool plain = node != nullptr && node->kind == edit::TextNode::Kind::kScalar &&
                     node->style == edit::TextNode::Style::kPlain && !node->written.empty();
  return plain && !sink.object().Hides(problem.path) ? node->spelling : std::string_view();
}

std::string InQuotes(std::string_view text) { return WriteJson(Value::UnownedString(text)); }

// Returns true for the values of a Secret's `data` and a ConfigMap's `binaryData`.
bool IsBase64(const Object& object, const FieldPath& path) {
  const std::string_view map = object.gvk.kind == "Secret"      ? "data"
                               : object.gvk.kind == "ConfigMap" ? "binaryData"
                                                                : "";
  return object.gvk.group.empty() && !map.empty() && path.size() == 2 && path[0].name == map;
}

// `03788745` where text is wanted: what is written is what is meant, in quotes.
void QuoteIt(Sink& sink, const TypeProblem& problem, Said& said) {
  const edit::TextNode* node = sink.NodeOf(problem.at);
  if (node == nullptr || node->kind != edit::TextNode::Kind::kScalar) return;
  if (IsBase64(sink.object(), problem.path)) {
    // In quotes, 5432 would be the base64 of other bytes.
    said.advice = sink.object().gvk.kind == "Secret" ? "encode it in base64, or put it into stringData, in quotes"
                                                     : "encode it in base64, or put it into data, in quotes";
    return;
  }
  said.edit = sink.Rewritten(problem.at, InQuotes(node->spelling), InQuotes(node->spelling));
  const std::string_view written = WrittenPlain(sink, problem);
  if (written.empty()) return;
  said.message = StrCat(written, " is ", WordsFor(problem.at->kind()), " in YAML, and this field takes text");
  said.advice = StrCat("put it in quotes: ", InQuotes(written));
}

// `"80"` where a number is wanted.
void UnquoteIt(Sink& sink, const TypeProblem& problem, Said& said) {
  if (!problem.at->is_string() || problem.advice.empty()) return;
  const yaml::YamlScalar scalar = yaml::ResolvePlain(problem.at->AsString());
  const auto value = yaml::JsonValueOf(scalar);
  if (!value.ok() || value->is_string()) return;
  const std::string_view text = problem.at->AsString();
  if (text.size() > 1 && text.starts_with('0') && IsDigit(text[1])) return;  // 010 is 8 in YAML, and may be meant as 10
  std::string json = WriteJson(*value);
  said.edit = sink.Rewritten(problem.at, json, json);
}

// The server takes a list for a text that has a format, by its CRD. Who reads the object then will hardly.
bool IsTakenForText(const Object& object, const TypeProblem& problem) {
  if (!problem.at->is_array() || !WantsText(problem.wanted)) return false;
  const Value* node = DefinedNode(object, problem.path);
  return node != nullptr && node->Find("format") != nullptr;
}

void SayProblem(Sink& sink, TypeProblem problem, const Checking& checking) {
  Said said = {.rule = RuleOf(problem.kind), .at = problem.at};
  said.message = problem.message;
  said.advice = problem.advice;
  if (problem.kind == TypeProblem::Kind::kUnknownField) {
    said.mark = Mark::kKey;
    if (sink.object().kind->authority == Authority::kBuiltin) {
      said.message += StrCat(" (of Kubernetes ", ToString(BuiltinRelease()), ")");
    }
    if (checking.IsApproximate(sink.object())) said.severity = Severity::kWarning;
  }
  if (problem.kind == TypeProblem::Kind::kExclusive) said.mark = Mark::kKey;
  if (IsTakenForText(sink.object(), problem)) said.severity = Severity::kWarning;
  if (problem.kind == TypeProblem::Kind::kWrongType && problem.at->is_scalar()) {
    WantsText(problem.wanted) ? QuoteIt(sink, problem, said) : UnquoteIt(sink, problem, said);
  }
  said.path = std::move(problem.path);
  sink.AddInstead(std::move(said), "yaml-versions");
}

bool IsInStatus(const FieldPath& path) { return !path.empty() && path.front().name == "status"; }

}  // namespace

void CheckFields(Sink& sink, const Checking& checking) {
  const Object& object = sink.object();
  if (!object.has_type()) return;
  const Kind& kind = *object.kind;
  const auto values = object.is_secret() ? ValuesInMessages::kHide : ValuesInMessages::kShow;
  for (TypeProblem& problem :
       FindTypeProblems(object.document, *kind.schema, kind.resource.type, UnknownFields::kFind, values)) {
    if (apply::DropsStatus(kind.resource) && IsInStatus(problem.path)) continue;
    if (problem.kind == TypeProblem::Kind::kNotBase64) continue;  // the rules for values tell
    SayProblem(sink, std::move(problem), checking);
  }
}

}  // namespace smp::lint
