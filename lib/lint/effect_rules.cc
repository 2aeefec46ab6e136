#include <string>
#include <string_view>
#include <vector>

#include "apply/apply_mode.h"
#include "apply/last_applied.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "lint/schema_walk.h"
#include "schema/facts/unkept.h"
#include "smp/directives.h"

namespace smp::lint {

namespace {

// --- what the server does not keep

void SayUnkept(Sink& sink, const Value& value, FieldPath path) {
  const bool says_nothing =
      value.is_null() || ((value.is_object() || value.is_array() || value.is_string()) && value.empty());
  Said said = {.rule = "ignored-field", .at = &value, .path = std::move(path), .mark = Mark::kKey};
  said.message = "the server does not keep this field";
  said.advice = "remove it";
  said.edit = sink.Removed(&value);
  if (says_nothing) said.severity = Severity::kInfo;
  sink.Add(std::move(said));
}

// `steps`: those of an UnkeptFields from `value` on.
void FindUnkept(Sink& sink, const Value& value, std::span<const std::string_view> steps, const UnkeptFields& fields,
                FieldPath path) {
  const auto below = [&](PathStep step) {
    FieldPath out = path;
    out.push_back(std::move(step));
    return out;
  };
  if (steps.empty()) {
    for (const std::string_view name : fields.names) {
      if (const Value* member = value.Find(name)) SayUnkept(sink, *member, below(PathStep::Field(name)));
    }
  } else if (steps.front() != "[*]") {
    const Value* member = value.Find(steps.front());
    if (member != nullptr) FindUnkept(sink, *member, steps.subspan(1), fields, below(PathStep::Field(steps.front())));
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) {
      FindUnkept(sink, value.Items()[i], steps.subspan(1), fields, below(PathStep::Index(static_cast<int64_t>(i))));
    }
  }
}

// --- directives

void CheckDirectives(Sink& sink, const Visited& at, const Steps& steps) {
  if (!at.value.is_object() || at.type == kNoType) return;
  const Schema& schema = *sink.object().kind->schema;
  const Type& type = schema.type(at.type);
  if (type.fields.empty() || type.has_additional || type.preserve_unknown) return;
  for (const Member& member : at.value.Members()) {
    if (!IsDirective(member.name)) continue;
    FieldPath path = ToFieldPath(steps);
    path.push_back(PathStep::Field(member.name));
    sink.Add({.rule = "directive",
              .at = &member.value,
              .path = std::move(path),
              .mark = Mark::kKey,
              .message = StrCat(member.name,
                                " is a directive of patches: the server refuses it in a new object, and kubectl apply "
                                "carries it out in one that exists"),
              .advice = "remove it; a patch is applied with kubectl patch"});
  }
}

// --- the annotation

void CheckSize(Sink& sink) {
  constexpr size_t kSurelySmall = 64UL << 10;  // bytes of a text without aliases
  const Object& object = sink.object();
  const edit::TextTree* tree = object.node == nullptr ? nullptr : sink.file().Tree(object.part);
  if (tree != nullptr && tree->anchored.empty() && tree->text.size() < kSurelySmall) return;
  const size_t bytes = apply::AnnotationBytes(apply::WithLastApplied(object.document).root());
  if (bytes <= apply::kMaxAnnotationBytes) return;
  sink.Add({.rule = "too-large",
            .message = StrCat("the last-applied annotation would have ", bytes, " bytes, and the server accepts ",
                              apply::kMaxAnnotationBytes, ": kubectl apply fails"),
            .advice = "apply it with kubectl smp, which applies it server-side, or with --server-side"});
}

}  // namespace

void CheckEffect(Sink& sink) {
  const Object& object = sink.object();
  CheckSize(sink);
  if (!object.has_type()) return;
  const Kind& kind = *object.kind;
  for (const UnkeptFields* fields : UnkeptFieldsOf(kind.resource, *kind.schema)) {
    if (!fields->kept_when_new) FindUnkept(sink, object.root(), fields->path, *fields, {});
  }
  ForEachValue(object, [&](const Visited& at, const Steps& steps) { CheckDirectives(sink, at, steps); });
}

}  // namespace smp::lint
