#include "schema/facts/builtin_facts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "schema/facts/fact_lines.h"
#include "value/json.h"

namespace smp {

// The texts of facts/unions.txt, duplicates.txt, defaults.txt and zeros.txt, in files that CMakeLists.txt generates.
std::string_view BuiltinUnionsText();
std::string_view BuiltinDuplicatesText();
std::string_view BuiltinDefaultsText();
std::string_view BuiltinZerosText();

namespace {

// The text before and after the first `separator`; the second is empty if there is none.
std::pair<std::string_view, std::string_view> CutAt(std::string_view text, char separator) {
  const size_t at = std::min(text.find(separator), text.size());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

Field* FieldCalled(Type& type, std::string_view name) {
  const auto at = std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& f) { return f.name == name; });
  return at == type.fields.end() ? nullptr : &*at;
}

// Parses "DISCRIMINATOR FIELD=ALTERNATIVE …"; "-" if there is no discriminator.
void AddUnion(std::string_view text, Type& type) {
  const std::vector<std::string_view> words = Split(text, ' ');
  Union out;
  if (words[0] != "-") out.discriminator = words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    const auto [field, alternative] = CutAt(words[i], '=');
    out.members.emplace_back(field, alternative);
  }
  type.unions = {std::move(out)};
}

// Parses "FIELD WORD".
void AddDuplicates(std::string_view text, Type& type) {
  const auto [name, word] = CutAt(text, ' ');
  Field* field = FieldCalled(type, name);
  if (field == nullptr) return;
  field->duplicates = word == "refused" ? Duplicates::kRefused
                      : word == "last"  ? Duplicates::kLastWins
                                        : Duplicates::kKept;
}

// Parses "FIELD …". Differs from kubectl: it sends zeros that the server drops at every apply.
void AddZeros(std::string_view text, Type& type) {
  for (const std::string_view name : Split(text, ' ')) {
    if (Field* field = FieldCalled(type, name)) field->omits_zero = true;
  }
}

// Returns the field at the end of `path`, nullptr if there is none. Copies the types along the path, each once, so that
// a change to the field holds for this path only. Types with ids below `shared` may be referred to elsewhere.
Field* FieldAtPath(Schema& schema, TypeId type, std::string_view path, TypeId shared) {
  for (size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
    const Field* field = FieldCalled(schema.Mutable(type), path.substr(0, dot));
    if (field == nullptr) return nullptr;
    const TypeId own = field->type < shared ? schema.Add(Type(schema.type(field->type))) : field->type;
    FieldCalled(schema.Mutable(type), path.substr(0, dot))->type = own;
    type = own;
    path.remove_prefix(dot + 1);
  }
  return FieldCalled(schema.Mutable(type), path);
}

// Parses "PATH VALUE", the value as JSON.
void AddDefault(std::string_view text, Schema& schema, TypeId type, TypeId shared) {
  const auto [path, json] = CutAt(text, ' ');
  const Result<Document> value = ParseJson(json);
  Field* field = value.ok() ? FieldAtPath(schema, type, path, shared) : nullptr;
  if (field != nullptr) field->default_value = schema.Own(value->root());
}

bool IsQuantityMap(const Schema& schema, const Type& type) {
  return type.fields.empty() && type.additional != kNoType && schema.type(type.additional).kind == TypeKind::kQuantity;
}

// Adds copies of a map's type and of its quantities, which are stored rounded up. Returns the map's.
TypeId AddRoundedMap(Schema& schema, TypeId map) {
  Type out = schema.type(map), quantity = schema.type(out.additional);
  quantity.rounds_to_milli = true;
  out.additional = schema.Add(std::move(quantity));
  return schema.Add(std::move(out));
}

// Replaces the type of the fields that are a core ResourceList, such as limits and capacity. A RuntimeClass, which has one in another
// group, does not round it, nor do quantities outside of such maps. Source: pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList.
void AddRounding(Schema& schema) {
  std::unordered_map<TypeId, TypeId> rounded;
  const auto count = static_cast<TypeId>(schema.type_count());
  for (TypeId id = 1; id < count; ++id) {
    if (!schema.type(id).name.starts_with("io.k8s.api.core.v1.")) continue;
    for (size_t i = 0; i < schema.type(id).fields.size(); ++i) {
      const TypeId map = schema.type(id).fields[i].type;
      if (!IsQuantityMap(schema, schema.type(map))) continue;
      const auto [at, is_new] = rounded.try_emplace(map, kNoType);
      if (is_new) at->second = AddRoundedMap(schema, map);
      schema.Mutable(id).fields[i].type = at->second;
    }
  }
}

bool IsOfPath(std::string_view text) { return CutAt(text, ' ').first.find('.') != text.npos; }

// Adds the facts that hold for all values of a type.
void AddFactsOfType(Schema& schema, TypeId id) {
  static const FactTable kUnions = FactsByType(BuiltinUnionsText()), kDuplicates = FactsByType(BuiltinDuplicatesText()),
                         kZeros = FactsByType(BuiltinZerosText());
  Type& type = schema.Mutable(id);
  const auto& release = schema.release();
  ForEachFact(kUnions, type.name, release, [&](std::string_view text) { AddUnion(text, type); });
  ForEachFact(kDuplicates, type.name, release, [&](std::string_view text) { AddDuplicates(text, type); });
  ForEachFact(kZeros, type.name, release, [&](std::string_view text) { AddZeros(text, type); });
}

const FactTable& DefaultFacts() {
  static const FactTable table = FactsByType(BuiltinDefaultsText());
  return table;
}

void AddDefaults(Schema& schema, TypeId id, TypeId shared, bool of_paths) {
  ForEachFact(DefaultFacts(), std::string(schema.type(id).name), schema.release(), [&](std::string_view text) {
    if (IsOfPath(text) == of_paths) AddDefault(text, schema, id, shared);
  });
}

}  // namespace

void AddBuiltinFacts(Schema& schema) {
  AddRounding(schema);
  const auto count = static_cast<TypeId>(schema.type_count());
  for (TypeId id = 1; id < count; ++id) {
    AddFactsOfType(schema, id);
    AddDefaults(schema, id, count, false);
  }
  // Last, so that the copied types have all other facts.
  for (TypeId id = 1; id < count; ++id) AddDefaults(schema, id, count, true);
}

bool IsDefaultFact(std::string_view type, std::string_view path, const std::optional<Release>& release) {
  bool found = false;
  ForEachFact(DefaultFacts(), type, release, [&](std::string_view text) { found |= CutAt(text, ' ').first == path; });
  return found;
}

}  // namespace smp
