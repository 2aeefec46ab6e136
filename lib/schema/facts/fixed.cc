#include "schema/facts/fixed.h"

#include "base/strings.h"

namespace smp {

// The text of fixed.txt, in a source file that CMakeLists.txt generates.
std::string_view FixedText();

namespace {

// Parses "-", "A.B=VALUE", "A.B==VALUE" or "A.B!=VALUE".
FixedField::Condition ParseCondition(std::string_view text) {
  using When = FixedField::Condition::When;
  const size_t equals = text.find('=');
  if (equals == text.npos) return {};
  const std::string_view value = text.substr(equals + 1);
  if (text[equals - 1] == '!') return {Split(text.substr(0, equals - 1), '.'), value, When::kNeither};
  const bool both = value.starts_with('=');
  return {Split(text.substr(0, equals), '.'), value.substr(both ? 1 : 0), both ? When::kBoth : When::kLive};
}

// Removes the suffix of a path that tells the part: "[*]", "[#]", "[]" or nothing.
FixedField::Part TakePart(std::string_view& path) {
  using Part = FixedField::Part;
  const size_t bracket = path.find('[');
  if (bracket == path.npos) return Part::kWhole;
  const std::string_view suffix = path.substr(bracket);
  path = path.substr(0, bracket);
  return suffix == "[*]" ? Part::kEachItem : suffix == "[#]" ? Part::kCount : Part::kSet;
}

// Parses "CONDITION PATH EXCEPT WORDS…".
FixedField ParseField(const FactLine& line) {
  const std::vector<std::string_view> words = Split(line.text, ' ');
  std::string_view path = words[1];
  FixedField out;
  out.condition = ParseCondition(words[0]);
  out.part = TakePart(path);
  out.path = Split(path, '.');
  out.line = line;
  if (words[2] != "-") out.except = Split(words[2], ',');
  out.words = line.text.substr(words[0].size() + words[1].size() + words[2].size() + 3);
  return out;
}

const auto& FixedTable() {
  static const auto table = ParsedFacts(FixedText(), ParseField);
  return table;
}

}  // namespace

std::vector<const FixedField*> FixedFieldsOf(const Resource& resource, const Schema& schema) {
  std::vector<const FixedField*> out;
  const auto [begin, end] = FixedTable().equal_range(schema.type(resource.type).name);
  for (auto at = begin; at != end; ++at) {
    if (HoldsFor(at->second.line, schema.release())) out.push_back(&at->second);
  }
  return out;
}

}  // namespace smp
