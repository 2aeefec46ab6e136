#include "lint/schema_entry.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "lint/patch_examples.h"
#include "schema/builtin.h"
#include "schema/facts/allocated.h"
#include "schema/facts/builtin_facts.h"
#include "schema/facts/fixed.h"
#include "schema/facts/unkept.h"
#include "schema/facts/values.h"

namespace smp::lint {

namespace {

using Texts = std::vector<std::string>;

std::string OriginOf(const Kind& kind) {
  switch (kind.authority) {
    case Authority::kBuiltin: return StrCat("built in: Kubernetes ", BuiltinSchemaVersion());
    case Authority::kDocument: return "OpenAPI document of --schema";
    case Authority::kServer: return "the server's OpenAPI document";
    case Authority::kDefinition: return "CRD";
    case Authority::kNobody: return "";
  }
  return "";
}

// --- how it is patched

std::string PatchOfList(const Field& field, bool strategic) {
  if (field.patch.list == ListMerge::kAtomic) return "replaced as a whole";
  const std::string how = field.patch.list == ListMerge::kSet ? std::string("merged as a set")
                                                              : StrCat("merged by ", Join(field.patch_keys, ", "));
  // The server takes only JSON merge patches of custom resources, in which a list is one value.
  return strategic ? how : StrCat(how, " by kubectl smp apply; replaced as a whole by kubectl apply");
}

std::string PatchOf(const Field& field, bool is_map, bool strategic) {
  if (field.is_list) return PatchOfList(field, strategic);
  if (!is_map || field.patch.replace) return is_map ? "replaced as a whole" : "replaced";
  return field.patch.retain_keys ? "merged; kubectl apply removes the fields that the manifest lacks ($retainKeys)"
                                 : "merged";
}

bool IsMapField(const Schema& schema, const Field& field) {
  if (field.is_list || field.type == kNoType) return field.kind == TypeKind::kObject;
  const Type& type = schema.type(field.type);
  return type.kind == TypeKind::kObject || !type.fields.empty() || type.has_additional;
}

std::string PatchOf(const SchemaPlace& place, const Field& field) {
  return PatchOf(field, IsMapField(place.schema(), field), place.is_strategic());
}

std::string_view WordsOf(Duplicates duplicates) {
  switch (duplicates) {
    case Duplicates::kUnknown: return "";
    case Duplicates::kKept: return "the server keeps both";
    case Duplicates::kLastWins: return "the server keeps both, and the last one takes effect";
    case Duplicates::kRefused: return "the server refuses them";
  }
  return "";
}

// --- what it excludes

struct Exclusion {
  Texts fields;
  std::string discriminator;
};

Exclusion ExclusionOf(const Type& holder, const std::string& name) {
  Exclusion out;
  for (const Union& fields : holder.unions) {
    const auto it = std::ranges::find(fields.members, name, &std::pair<std::string, std::string>::first);
    if (it == fields.members.end()) continue;
    out.discriminator = fields.discriminator;
    for (const auto& [field, alternative] : fields.members) {
      if (alternative != it->second) out.fields.push_back(field);
    }
  }
  return out;
}

// --- whether it may be changed

bool BeginsWith(const Texts& path, const std::vector<std::string_view>& beginning) {
  return beginning.size() <= path.size() && std::equal(beginning.begin(), beginning.end(), path.begin());
}

std::string WordsOf(const FixedField::Condition& condition) {
  using When = FixedField::Condition::When;
  if (condition.path.empty()) return "";
  const std::string path = Join(condition.path, ".");
  if (condition.when == When::kNeither) return StrCat(" unless ", path, " is ", condition.value);
  if (condition.value == "*") return StrCat(" once ", path, " is set");
  return StrCat(" if ", path, " is ", condition.value);
}

// Returns what the line says of the field at a path: "", if it is about another one.
std::string WordsAbout(const FixedField& fixed, const Texts& path) {
  using Part = FixedField::Part;
  if (!BeginsWith(path, fixed.path)) return "";
  const bool below = path.size() > fixed.path.size();
  const bool excepted = below && std::ranges::find(fixed.except, path[fixed.path.size()]) != fixed.except.end();
  if (excepted || (below && fixed.part == Part::kCount)) return "";
  const std::string what = below || fixed.part == Part::kWhole ? ""
                           : fixed.part == Part::kCount        ? "number of items"
                                                               : "items";
  const std::string except = below || fixed.except.empty() ? "" : StrCat(" but for ", Join(fixed.except, ", "));
  return StrCat(what, what.empty() ? "" : ": ", fixed.words, WordsOf(fixed.condition), except);
}

Texts NamesOf(const SchemaPlace& place) {
  Texts out;
  for (const SchemaStep& step : place.steps) out.push_back(step.name);
  return out;
}

Texts ImmutabilityOf(const SchemaPlace& place) {
  Texts out;
  const Texts path = NamesOf(place);
  if (place.is_strategic()) {
    for (const FixedField* fixed : FixedFieldsOf(place.kind->resource, place.schema())) {
      if (std::string words = WordsAbout(*fixed, path); !words.empty()) out.push_back(std::move(words));
    }
  }
  for (const SchemaStep& step : place.steps) {
    const Value* words = step.field == nullptr ? nullptr : step.field->fixed_words;
    if (words != nullptr && words->is_string()) out.emplace_back(words->AsString());
  }
  if (path == Texts{"metadata", "name"} || path == Texts{"metadata", "namespace"})
    out.emplace_back("it names the object");
  return out;
}

std::string LossOf(const SchemaPlace& place) {
  const Texts path = NamesOf(place);
  for (const UnkeptFields* unkept : UnkeptFieldsOf(place.kind->resource, place.schema())) {
    const size_t at = unkept->path.size();
    if (path.size() <= at || !BeginsWith(path, unkept->path)) continue;
    if (std::ranges::find(unkept->names, path[at]) == unkept->names.end()) continue;
    return unkept->kept_when_new ? "in an object that exists" : "never";
  }
  return "";
}

// --- its default, and the values that it takes

// A line of facts/defaults.txt may be about a path from any type above the field.
bool IsDefaultFact(const SchemaPlace& place) {
  std::string path;
  for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step) {
    path = path.empty() ? step->name : StrCat(step->name, ".", path);
    const Schema& schema = place.schema();
    if (smp::IsDefaultFact(schema.type(step->holder).name, path, schema.release())) return true;
  }
  return false;
}

std::string WordsOf(const ValueRule& rule) {
  using Kind = ValueRule::Kind;
  switch (rule.kind) {
    case Kind::kRequired: return "required";
    case Kind::kOneOf: return StrCat("one of ", Join(rule.choices, ", "));
    case Kind::kRange:
      return !rule.most ? StrCat("at least ", *rule.least)
                        : StrCat("from ", rule.least.value_or(0), " to ", *rule.most);
    case Kind::kLength: return StrCat("at most ", *rule.most, " characters");
    case Kind::kForm: return std::string(DescribeForm(rule.form));
    case Kind::kKeys: return StrCat("keys: ", DescribeForm(rule.form));
    case Kind::kValues: return StrCat("values: ", DescribeForm(rule.form));
    case Kind::kAnyOf: return "";
  }
  return "";
}

Texts ValuesOf(const SchemaPlace& place) {
  Texts out;
  std::vector<std::string_view> path;
  for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step) {
    path.insert(path.begin(), step->name);
    for (const ValueRule* rule : ValueRulesOf(place.schema().type(step->holder), place.schema().release())) {
      if (rule->path == path) out.push_back(WordsOf(*rule));
    }
  }
  return out;
}

// --- the document

class EntryWriter {
 public:
  explicit EntryWriter(const SchemaPlace& place) : place_(place), schema_(place.schema()) {}

  Document Write() && {
    AddIdentity();
    if (const Field* field = place_.field()) AddField(*field);
    if (!place_.steps.empty()) AddStep(place_.steps.back());
    AddUnions();
    AddExamples();
    AddFields();
    const Value root = arena_.Object(std::move(members_));
    return Document(std::move(arena_), root);
  }

 private:
  Value Text(std::string_view text) { return arena_.String(text); }
  Value List(const Texts& texts) {
    std::vector<Value> items;
    for (const std::string& text : texts) items.push_back(Text(text));
    return arena_.Array(items);
  }
  void Say(std::string_view name, std::string_view text) {
    if (!text.empty()) members_.emplace_back(name, Text(text));
  }
  void Say(std::string_view name, const Texts& texts) {
    if (!texts.empty()) members_.emplace_back(name, List(texts));
  }

  void AddIdentity() {
    const Kind& kind = *place_.kind;
    Say("apiVersion", kind.resource.gvk.ApiVersion());
    Say("kind", kind.resource.gvk.kind);
    Say("path", place_.path());
    Say("schema", OriginOf(kind));
    const Field* field = place_.field();
    Say("type", field == nullptr ? NameOfType(schema_, place_.type) : NameOfValue(schema_, *field));
    if (place_.type != kNoType) Say("component", schema_.type(place_.type).name);
    Say("insideReplaced", ReplacedAbove(place_));
  }

  void AddField(const Field& field) {
    Say("patch", PatchOf(place_, field));
    if (field.is_list && field.patch.list == ListMerge::kKeyed) Say("mergeKeys", field.patch_keys);
    if (field.is_list) Say("identityKeys", field.identity_keys);
    if (field.is_list) Say("duplicates", WordsOf(field.duplicates));
    if (field.nullable) members_.emplace_back("nullable", Value::Bool(true));
    if (field.default_value == nullptr) return;
    members_.emplace_back("default", *field.default_value);
    Say("defaultFrom",
        IsDefaultFact(place_) ? "trials on a server; no OpenAPI document states it" : "the OpenAPI document");
  }

  void AddStep(const SchemaStep& step) {
    const Exclusion exclusion = ExclusionOf(schema_.type(step.holder), step.name);
    Say("excludes", exclusion.fields);
    if (!exclusion.fields.empty()) Say("excludedBy", exclusion.discriminator);
    Say("immutable", ImmutabilityOf(place_));
    Say("notKept", LossOf(place_));
    Say("values", ValuesOf(place_));
    if (IsAllocated(schema_, step.holder, step.name)) members_.emplace_back("setByServer", Value::Bool(true));
  }

  void AddUnions() {
    std::vector<Value> unions;
    if (place_.type == kNoType) return;
    for (const Union& of : schema_.type(place_.type).unions) {
      Texts names;
      for (const auto& member : of.members) names.push_back(member.first);
      std::vector<Member> out = {{"fields", List(names)}};
      if (!of.discriminator.empty()) out.emplace_back("discriminator", Text(of.discriminator));
      unions.push_back(arena_.Object(std::move(out)));
    }
    if (!unions.empty()) members_.emplace_back("unions", arena_.Array(unions));
  }

  void AddExamples() {
    std::vector<Value> out;
    for (const PatchExample& example : ExamplesFor(place_, arena_)) {
      std::vector<Member> members = {{"meaning", Text(example.meaning)}, {"patch", example.patch}};
      if (!example.directive.empty()) members.emplace_back("directive", Text(example.directive));
      out.push_back(arena_.Object(std::move(members)));
    }
    if (!out.empty()) members_.emplace_back("examples", arena_.Array(out));
  }

  void AddFields() {
    std::vector<Value> out;
    if (place_.type == kNoType) return;
    for (const Field& field : schema_.type(place_.type).fields) {
      out.push_back(arena_.Object({{"name", Text(field.name)},
                                   {"patch", Text(PatchOf(place_, field))},
                                   {"type", Text(NameOfValue(schema_, field))}}));
    }
    if (!out.empty()) members_.emplace_back("fields", arena_.Array(out));
  }

  const SchemaPlace& place_;
  const Schema& schema_;
  Arena arena_;
  std::vector<Member> members_;
};

}  // namespace

Document DescribePlace(const SchemaPlace& place) { return EntryWriter(place).Write(); }

}  // namespace smp::lint
