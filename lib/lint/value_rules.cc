#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "lint/schema_walk.h"
#include "schema/builtin.h"
#include "schema/facts/values.h"
#include "smp/directives.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/formats.h"
#include "value/json.h"

namespace smp::lint {

namespace {

// Returns the value for a message; "the value" if it must not be shown.
std::string Shown(const Sink& sink, const Value& value, const FieldPath& path) {
  return sink.object().Hides(path) ? "the value" : ShownValue(value);
}

void SayInvalid(Sink& sink, std::string_view rule, const Visited& at, const Steps& steps, std::string_view why,
                std::string advice) {
  FieldPath path = ToFieldPath(steps);
  std::string message = StrCat(Shown(sink, at.value, path), " ", why);
  sink.Add({.rule = rule,
            .at = &at.value,
            .path = std::move(path),
            .message = std::move(message),
            .advice = std::move(advice)});
}

void CheckSyntax(Sink& sink, const Visited& at, const Steps& steps) {
  if (!at.value.is_string()) return;
  const std::string_view text = at.value.AsString();
  if (at.kind == TypeKind::kQuantity && !IsQuantity(text)) {
    SayInvalid(sink, "invalid-quantity", at, steps, "is not a quantity", "write it like 500m, 2, 128Mi or 1.5Gi");
  }
  if (at.kind == TypeKind::kTime && !ParseRfc3339(text)) {
    SayInvalid(sink, "invalid-time", at, steps, "is not a time", "write it like 2026-01-31T10:00:00Z");
  }
  if (at.kind == TypeKind::kBytes && !DecodeBase64(text)) {
    const bool secret = sink.object().is_secret();
    SayInvalid(sink, "invalid-base64", at, steps, "is not base64",
               secret ? "encode it, or move it to stringData" : "encode it");
  }
}

// --- the facts about a type

// A value that a rule is about; `value` is nullptr if the map lacks it, and `map` if that is not there either.
struct Ruled {
  const Value* map;
  const Value* value;
  FieldPath path;
};

Ruled Follow(const Visited& at, const Steps& steps, const ValueRule& rule) {
  Ruled out = {&at.value, &at.value, ToFieldPath(steps)};
  for (const std::string_view name : rule.path) {
    out.map = out.value;
    if (out.value != nullptr) out.value = out.value->Find(name);
    out.path.push_back(PathStep::Field(name));
  }
  if (out.value != nullptr && out.value->is_null()) out.value = nullptr;
  return out;
}

void SayMissing(Sink& sink, const Value& map, FieldPath path, std::string message, std::string advice) {
  if (map.Find(kPatchDirective) != nullptr) return;
  sink.Add({.rule = "missing-field",
            .at = &map,
            .path = std::move(path),
            .mark = Mark::kKey,
            .message = std::move(message),
            .advice = std::move(advice)});
}

// An empty map lacks what it must have, where a rule says what that is.
bool SaysNothing(const Value& value, const Schema& schema, TypeId map, std::string_view name,
                 const std::optional<Release>& release) {
  if ((value.is_string() || value.is_array()) && value.empty()) return true;
  const Field* field = schema.Find(map, name);
  if (!value.is_object() || !value.empty() || field == nullptr || field->type == kNoType) return false;
  const auto rules = ValueRulesOf(schema.type(field->type), release);
  return std::ranges::none_of(rules, [](const ValueRule* rule) {
    return rule->kind == ValueRule::Kind::kRequired || rule->kind == ValueRule::Kind::kAnyOf;
  });
}

void CheckRequired(Sink& sink, const Ruled& at, TypeId type, const std::optional<Release>& release) {
  const Schema& schema = *sink.object().kind->schema;
  const std::string& name = at.path.back().name;
  if (at.map == nullptr || !at.map->is_object()) return;
  if (at.value == nullptr) {
    FieldPath above(at.path.begin(), at.path.end() - 1);
    SayMissing(sink, *at.map, std::move(above), StrCat("the field ", name, " is required"), StrCat("add ", name));
  } else if (SaysNothing(*at.value, schema, type, name, release)) {
    SayMissing(sink, *at.value, at.path, StrCat("the field ", name, " is required, and must not be empty"), "");
  }
}

void CheckAnyOf(Sink& sink, const Visited& at, const Steps& steps, const ValueRule& rule) {
  const auto is_set = [&](std::string_view name) {
    const Value* value = at.value.Find(name);
    return value != nullptr && !value->is_null() && !(value->is_string() && value->empty());
  };
  if (std::ranges::any_of(rule.choices, is_set)) return;
  std::vector<std::string> names(rule.choices.begin(), rule.choices.end());
  SayMissing(sink, at.value, ToFieldPath(steps), "one of several fields is required, and none is there",
             StrCat("add one of ", NameSome(std::move(names), kMostNamed)));
}

void SayWrongValue(Sink& sink, std::string_view rule, const Ruled& at, std::string_view why, std::string advice) {
  sink.Add({.rule = rule,
            .at = at.value,
            .path = at.path,
            .message = StrCat(Shown(sink, *at.value, at.path), " ", why),
            .advice = std::move(advice)});
}

void CheckRange(Sink& sink, const Ruled& at, const ValueRule& rule) {
  if (!at.value->is_int()) return;
  const int64_t number = at.value->AsInt();
  if ((!rule.least || number >= *rule.least) && (!rule.most || number <= *rule.most)) return;
  const std::string limits =
      !rule.most ? StrCat("at least ", *rule.least) : StrCat("from ", rule.least.value_or(0), " to ", *rule.most);
  SayWrongValue(sink, rule.most == 65535 ? "invalid-port" : "out-of-range", at, "is out of range",
                StrCat("use a number ", limits));
}

std::string_view RuleOfForm(std::string_view form) {
  if (form == "label-value" || form.ends_with("qualified-name")) return "invalid-label";
  return form == "port-name" ? "invalid-port" : "invalid-name";
}

void CheckForm(Sink& sink, const Ruled& at, const ValueRule& rule) {
  if (!at.value->is_string() || at.value->empty() || HasForm(at.value->AsString(), rule.form)) return;
  SayWrongValue(sink, RuleOfForm(rule.form), at, StrCat("is not a valid ", NounOfForm(rule.form)),
                StrCat("use ", DescribeForm(rule.form)));
}

void CheckOneOf(Sink& sink, const Ruled& at, const ValueRule& rule) {
  const auto check = [&](const Ruled& one) {
    if (!one.value->is_string() || one.value->empty()) return;
    if (std::ranges::find(rule.choices, one.value->AsString()) != rule.choices.end()) return;
    SayWrongValue(sink, "invalid-choice", one, "is not one of the values that are allowed",
                  StrCat("use ", Join(rule.choices, ", ")));
  };
  if (!at.value->is_array()) return check(at);
  for (const Value& item : at.value->Items()) {
    Ruled one = {at.value, &item, at.path};
    one.path.push_back(PathStep::Index(&item - at.value->Items().data()));
    check(one);
  }
}

void CheckMembers(Sink& sink, const Ruled& at, const ValueRule& rule) {
  if (!at.value->is_object()) return;
  const bool keys = rule.kind == ValueRule::Kind::kKeys;
  for (const Member& member : at.value->Members()) {
    const std::string_view text = keys ? member.name : member.value.is_string() ? member.value.AsString() : "";
    if ((!keys && text.empty()) || HasForm(text, rule.form)) continue;
    Said said = {.rule = keys && rule.form == "config-key" ? "invalid-name" : "invalid-label",
                 .at = &member.value,
                 .path = at.path,
                 .mark = keys ? Mark::kKey : Mark::kValue};
    said.path.push_back(PathStep::Field(member.name));
    said.message = StrCat(WriteJson(Value::UnownedString(text)), " is not a valid ", NounOfForm(rule.form));
    said.advice = StrCat("use ", DescribeForm(rule.form));
    sink.Add(std::move(said));
  }
}

void CheckRule(Sink& sink, const Ruled& at, const ValueRule& rule) {
  using Kind = ValueRule::Kind;
  if (at.value == nullptr) return;
  switch (rule.kind) {
    case Kind::kOneOf: return CheckOneOf(sink, at, rule);
    case Kind::kRange: return CheckRange(sink, at, rule);
    case Kind::kForm: return CheckForm(sink, at, rule);
    case Kind::kKeys:
    case Kind::kValues: return CheckMembers(sink, at, rule);
    case Kind::kLength:
      if (at.value->is_string() && at.value->size() > static_cast<size_t>(*rule.most)) {
        SayWrongValue(sink, "invalid-name", at, "is too long", StrCat("use at most ", *rule.most, " characters"));
      }
      return;
    case Kind::kRequired:
    case Kind::kAnyOf: return;
  }
}

void CheckFacts(Sink& sink, const Visited& at, const Steps& steps, const std::optional<Release>& release) {
  if (!at.value.is_object() || at.type == kNoType) return;
  const Schema& schema = *sink.object().kind->schema;
  for (const ValueRule* rule : ValueRulesOf(schema.type(at.type), release)) {
    const Ruled ruled = Follow(at, steps, *rule);
    if (rule->kind == ValueRule::Kind::kAnyOf) {
      CheckAnyOf(sink, at, steps, *rule);
    } else if (rule->kind == ValueRule::Kind::kRequired) {
      CheckRequired(sink, ruled, at.type, release);
    } else {
      CheckRule(sink, ruled, *rule);
    }
  }
}

// Returns true for what the server's validation does not look at: a status that it does not take from a manifest, the selector of an
// autoscaler's metric, and how a DaemonSet rolls that does not.
bool IsUnchecked(const Object& object, const Steps& steps) {
  if (!steps.empty() && steps.front().name == "status" && object.gvk.kind != "Node") return true;
  const auto has = [&](std::string_view name) {
    return std::ranges::find(steps, name, &WalkStep::name) != steps.end();
  };
  if (object.gvk.kind == "HorizontalPodAutoscaler") return has("selector");
  const bool rolls = TextAt(object.root(), {"spec", "updateStrategy", "type"}) != "OnDelete";
  return object.gvk.kind == "DaemonSet" && !rolls && has("rollingUpdate");
}

}  // namespace

std::optional<Release> Checking::ReleaseOf(const Object& object) const {
  return object.kind->authority == Authority::kBuiltin ? release : object.kind->schema->release();
}

bool Checking::IsApproximate(const Object& object) const {
  return object.kind->authority == Authority::kBuiltin && release != BuiltinRelease();
}

std::string ShownValue(const Value& value) {
  constexpr size_t kLongest = 60;
  const std::string text = WriteJson(value);
  return text.size() <= kLongest ? text : "the value";
}

void CheckValues(Sink& sink, const Checking& checking) {
  const Object& object = sink.object();
  if (!object.has_type()) return;
  const std::optional<Release> release = checking.ReleaseOf(object);
  // A CRD says itself what its values are.
  const bool is_defined = object.kind->authority == Authority::kDefinition;
  ForEachValue(object, [&](const Visited& at, const Steps& steps) {
    if (!is_defined) CheckSyntax(sink, at, steps);
    if (!IsUnchecked(object, steps)) CheckFacts(sink, at, steps, release);
  });
}

}  // namespace smp::lint
