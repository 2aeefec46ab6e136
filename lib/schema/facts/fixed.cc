#include "schema/facts/fixed.h"

#include "base/strings.h"

namespace smp {

// The text of fixed.txt, in a source file that CMakeLists.txt generates.
extern const std::string_view kFixedText;

namespace {

// Parses "-", "A.B=VALUE" or "A.B!=VALUE".
FixedField::Condition ParseCondition(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return {};
  const bool negated = text[equals - 1] == '!';
  return {Split(text.substr(0, equals - (negated ? 1 : 0)), '.'), text.substr(equals + 1), negated};
}

// Parses "CONDITION PATH EXCEPT WORDS…".
FixedField ParseField(const FactLine& line) {
  const std::vector<std::string_view> words = Split(line.text, ' ');
  FixedField out{ParseCondition(words[0]), Split(words[1], '.'), {}, {}, line};
  if (words[2] != "-") out.except = Split(words[2], ',');
  out.words = line.text.substr(words[0].size() + words[1].size() + words[2].size() + 3);
  return out;
}

const auto& Table() {
  static const auto table = ParsedFacts(kFixedText, ParseField);
  return table;
}

}  // namespace

std::vector<const FixedField*> FixedFieldsOf(const Resource& resource, const Schema& schema) {
  std::vector<const FixedField*> out;
  const auto [begin, end] = Table().equal_range(schema.type(resource.type).name);
  for (auto at = begin; at != end; ++at) {
    if (HoldsFor(at->second.line, schema.release())) out.push_back(&at->second);
  }
  return out;
}

}  // namespace smp
