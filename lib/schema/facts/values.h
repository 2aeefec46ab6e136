// What the server refuses in values of the built-in types (values.txt).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/facts/fact_lines.h"
#include "schema/schema.h"

namespace smp {

// One line of values.txt.
struct ValueRule {
  enum class Kind { kRequired, kAnyOf, kOneOf, kRange, kLength, kForm, kKeys, kValues };
  Kind kind = Kind::kRequired;
  std::vector<std::string_view> path;     // names of fields
  std::vector<std::string_view> choices;  // of kOneOf; of kAnyOf: fields of which one must be there
  std::optional<int64_t> least, most;     // of kRange; `most` of kLength
  std::string_view form;                  // of kForm, kKeys and kValues
  FactLine line;
};

// Returns the lines about a type that hold for a release of the server (HoldsFor).
std::vector<const ValueRule*> ValueRulesOf(const Type& type, const std::optional<Release>& release);

// Returns true if the text has the form, "dns-label" for example; also if the form is unknown.
bool HasForm(std::string_view text, std::string_view form);

// Returns what a text of the form is called, "name", and what it is: "lower-case letters, digits and '-', at most 63".
std::string_view NounOfForm(std::string_view form);
std::string_view DescribeForm(std::string_view form);

}  // namespace smp
