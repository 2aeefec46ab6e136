#include "schema/facts/builtin_facts.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strings.h"
#include "schema/facts/fact_lines.h"
#include "value/json.h"

namespace smp {

// facts/duplicates.txt, defaults.txt and zeros.txt; CMakeLists.txt makes the files that define them.
extern const std::string_view kBuiltinDuplicatesText;
extern const std::string_view kBuiltinDefaultsText;
extern const std::string_view kBuiltinZerosText;

namespace {

// "TYPE FIELD FACT", for defaults also "TYPE PATH FACT"; the unit test of this file reads every line.
struct Fact {
  std::string_view field;
  std::string_view fact;
  FactLine line;
};
using Facts = std::unordered_multimap<std::string_view, Fact>;  // by type

Facts ParseFacts(std::string_view text) {
  Facts out;
  for (const FactLine& line : FactLines(text)) {
    const size_t field = line.text.find(' ');
    const size_t fact = field == line.text.npos ? line.text.npos : line.text.find(' ', field + 1);
    if (fact == line.text.npos) continue;
    out.emplace(line.text.substr(0, field),
                Fact{line.text.substr(field + 1, fact - field - 1), line.text.substr(fact + 1), line});
  }
  return out;
}

const Facts& DuplicatesFacts() {
  static const Facts facts = ParseFacts(kBuiltinDuplicatesText);
  return facts;
}

const Facts& DefaultFacts() {
  static const Facts facts = ParseFacts(kBuiltinDefaultsText);
  return facts;
}

Field* FieldCalled(Type& type, std::string_view name) {
  const auto at = std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& f) { return f.name == name; });
  return at == type.fields.end() ? nullptr : &*at;
}

Duplicates DuplicatesCalled(std::string_view word) {
  return word == "refused" ? Duplicates::kRefused : word == "last" ? Duplicates::kLastWins : Duplicates::kKept;
}

void AddDuplicates(Type& type, const std::optional<Release>& server) {
  const auto [begin, end] = DuplicatesFacts().equal_range(type.name);
  for (auto at = begin; at != end; ++at) {
    Field* field = FieldCalled(type, at->second.field);
    if (field != nullptr && HoldsFor(at->second.line, server)) field->duplicates = DuplicatesCalled(at->second.fact);
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

void AddDefault(Schema& schema, TypeId type, const Fact& fact, TypeId shared) {
  const Result<Document> value = ParseJson(fact.fact);
  if (!value.ok() || !HoldsFor(fact.line, schema.release())) return;
  Field* field = FieldAtPath(schema, type, fact.field, shared);
  if (field != nullptr) field->default_value = schema.Own(value->root());
}

enum class Reach { kType, kPath };

// Defaults of paths must be added last, so that the copied types have all other facts.
void AddDefaults(Schema& schema, TypeId type, Reach reach, TypeId shared) {
  const auto [begin, end] = DefaultFacts().equal_range(schema.type(type).name);
  for (auto at = begin; at != end; ++at) {
    const bool is_path = at->second.field.find('.') != std::string_view::npos;
    if (is_path == (reach == Reach::kPath)) AddDefault(schema, type, at->second, shared);
  }
}

// "TYPE FIELD …".
struct ZeroFact {
  std::vector<std::string_view> fields;
  FactLine line;
};
using ZeroFacts = std::unordered_multimap<std::string_view, ZeroFact>;  // by type

ZeroFacts ParseZeros(std::string_view text) {
  ZeroFacts out;
  for (const FactLine& line : FactLines(text)) {
    const std::vector<std::string_view> words = Split(line.text, ' ');
    out.emplace(words.front(), ZeroFact{{words.begin() + 1, words.end()}, line});
  }
  return out;
}

// Differs from kubectl: it sends them at every apply.
void AddZeros(Type& type, const std::optional<Release>& server) {
  static const ZeroFacts facts = ParseZeros(kBuiltinZerosText);
  const auto [begin, end] = facts.equal_range(type.name);
  for (auto at = begin; at != end; ++at) {
    if (!HoldsFor(at->second.line, server)) continue;
    for (const std::string_view name : at->second.fields) {
      if (Field* field = FieldCalled(type, name)) field->omits_zero = true;
    }
  }
}

}  // namespace

void AddBuiltinFacts(Schema& schema) {
  const auto count = static_cast<TypeId>(schema.type_count());
  for (TypeId id = 1; id < count; ++id) {
    if (schema.type(id).name.empty()) continue;
    AddDuplicates(schema.Mutable(id), schema.release());
    AddZeros(schema.Mutable(id), schema.release());
    AddDefaults(schema, id, Reach::kType, count);
  }
  for (TypeId id = 1; id < count; ++id) AddDefaults(schema, id, Reach::kPath, count);
}

}  // namespace smp
