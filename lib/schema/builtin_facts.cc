#include "schema/builtin_facts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strings.h"
#include "value/json.h"

namespace smp {

// builtin/twins.txt, defaults.txt and zeros.txt; CMakeLists.txt makes the files that define them.
extern const std::string_view kBuiltinTwinsText;
extern const std::string_view kBuiltinDefaultsText;
extern const std::string_view kBuiltinZerosText;

namespace {

// "TYPE FIELD FACT"; the unit test of this file reads every line.
struct Fact {
  std::string_view field;
  std::string_view fact;
};
using Facts = std::unordered_multimap<std::string_view, Fact>;  // by type

Facts ParseFacts(std::string_view text) {
  Facts out;
  for (const std::string_view line : Split(text, '\n')) {
    const size_t field = line.find(' ');
    const size_t fact = field == line.npos ? line.npos : line.find(' ', field + 1);
    if (fact == line.npos || line.starts_with('#')) continue;
    out.emplace(line.substr(0, field), Fact{line.substr(field + 1, fact - field - 1), line.substr(fact + 1)});
  }
  return out;
}

const Facts& TwinsFacts() {
  static const Facts facts = ParseFacts(kBuiltinTwinsText);
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

Twins TwinsCalled(std::string_view word) {
  return word == "refused" ? Twins::kRefused : word == "last" ? Twins::kLastWins : Twins::kKept;
}

void AddTwins(Type& type) {
  const auto [begin, end] = TwinsFacts().equal_range(type.name);
  for (auto at = begin; at != end; ++at) {
    if (Field* field = FieldCalled(type, at->second.field)) field->twins = TwinsCalled(at->second.fact);
  }
}

void AddDefaults(Schema& schema, Type& type) {
  const auto [begin, end] = DefaultFacts().equal_range(type.name);
  for (auto at = begin; at != end; ++at) {
    Field* field = FieldCalled(type, at->second.field);
    const Result<Document> value = ParseJson(at->second.fact);
    if (field != nullptr && value.ok()) field->default_value = schema.Own(value->root());
  }
}

// "TYPE FIELD …".
using Names = std::unordered_map<std::string_view, std::vector<std::string_view>>;

Names ParseNames(std::string_view text) {
  Names out;
  for (const std::string_view line : Split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string_view> words = Split(line, ' ');
    out.emplace(words.front(), std::vector<std::string_view>(words.begin() + 1, words.end()));
  }
  return out;
}

// Differs from kubectl: it sends them at every apply.
void AddZeros(Type& type) {
  static const Names names = ParseNames(kBuiltinZerosText);
  const auto at = names.find(type.name);
  if (at == names.end()) return;
  for (const std::string_view name : at->second) {
    if (Field* field = FieldCalled(type, name)) field->omits_zero = true;
  }
}

Derived DerivedOf(std::string_view type) {
  if (type == "io.k8s.api.networking.v1.NetworkPolicySpec") return Derived::kPolicyTypes;
  if (type == "io.k8s.api.core.v1.PodSpec") return Derived::kServiceAccount;
  if (type == "io.k8s.api.rbac.v1.ClusterRole") return Derived::kAggregatedRules;
  if (type == "io.k8s.api.rbac.v1.Subject") return Derived::kSubjectGroup;
  if (type == "io.k8s.api.core.v1.LimitRangeItem") return Derived::kLimits;
  if (type == "io.k8s.api.core.v1.Container") return Derived::kPullPolicy;
  if (type == "io.k8s.api.core.v1.ImageVolumeSource") return Derived::kPullPolicy;
  if (type == "io.k8s.api.core.v1.Pod") return Derived::kAdmission;
  if (type == "io.k8s.api.core.v1.ServiceSpec") return Derived::kAllocated;
  return Derived::kNothing;
}

}  // namespace

void AddBuiltinFacts(Schema& schema) {
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    Type& type = schema.Mutable(id);
    if (type.name.empty()) continue;
    AddTwins(type);
    AddDefaults(schema, type);
    AddZeros(type);
    type.derived = DerivedOf(type.name);
  }
}

}  // namespace smp
