#include "schema/unions.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "schema/facts/fact_lines.h"

namespace smp {

// facts/unions.txt; CMakeLists.txt makes the file that defines it.
extern const std::string_view kBuiltinUnionsText;

namespace {

struct BuiltinUnion {
  Union fields;
  FactLine line;
};
using BuiltinUnions = std::unordered_multimap<std::string, BuiltinUnion>;  // by type

// "TYPE DISCRIMINATOR FIELD=ALTERNATIVE …"; the unit test of this file reads every line.
Union ParseUnion(const std::vector<std::string_view>& words) {
  Union out;
  if (words.size() > 1 && words[1] != "-") out.discriminator = words[1];
  for (size_t i = 2; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals != words[i].npos) out.members.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
  }
  return out;
}

const BuiltinUnions& AllBuiltinUnions() {
  static const BuiltinUnions unions = [] {
    BuiltinUnions out;
    for (const FactLine& line : FactLines(kBuiltinUnionsText)) {
      const std::vector<std::string_view> words = Split(line.text, ' ');
      out.emplace(std::string(words[0]), BuiltinUnion{ParseUnion(words), line});
    }
    return out;
  }();
  return unions;
}

}  // namespace

void AddBuiltinUnions(Schema& schema) {
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    const auto [begin, end] = AllBuiltinUnions().equal_range(schema.type(id).name);
    for (auto at = begin; at != end; ++at) {
      if (HoldsFor(at->second.line, schema.release())) schema.Mutable(id).unions = {at->second.fields};
    }
  }
}

bool IsSet(const Value* member, const Union& fields) {
  if (member == nullptr || member->is_null()) return false;
  return fields.by_presence || !member->is_string() || !member->empty();
}

std::vector<std::string_view> AlternativesIn(const Value& map, const Union& fields) {
  std::vector<std::string_view> out;
  for (const auto& [field, alternative] : fields.members) {
    const bool known = std::find(out.begin(), out.end(), alternative) != out.end();
    if (!known && IsSet(map.Find(field), fields)) out.push_back(alternative);
  }
  if (fields.by_presence) {
    std::erase_if(out, [&](std::string_view alternative) {
      return std::any_of(fields.members.begin(), fields.members.end(), [&](const auto& member) {
        return member.second == alternative && !IsSet(map.Find(member.first), fields);
      });
    });
  }
  return out;
}

namespace {

// A lone `value: ""` is a choice, too: it excludes the valueFrom of somebody else.
std::string_view OnlyEmptyOne(const Value& map, const Union& fields) {
  std::string_view only;
  for (const auto& [field, alternative] : fields.members) {
    const Value* value = map.Find(field);
    if (value == nullptr || !value->is_string()) continue;
    if (!only.empty() && only != alternative) return {};
    only = alternative;
  }
  return only;
}

}  // namespace

std::string_view ChosenAlternative(const Value& map, const Union& fields) {
  const std::vector<std::string_view> alternatives = AlternativesIn(map, fields);
  if (alternatives.size() == 1) return alternatives[0];
  if (!alternatives.empty()) return "";
  return fields.discriminator.empty() ? OnlyEmptyOne(map, fields) : map.StringOr(fields.discriminator);
}

}  // namespace smp
