// Fields that the server refuses to change in an object that exists (fixed.txt).
#pragma once

#include <string_view>
#include <vector>

#include "schema/facts/fact_lines.h"
#include "schema/schema.h"

namespace smp {

// One line of fixed.txt.
struct FixedField {
  // Of an object: what it has at `path`, names of fields. Empty: no condition.
  struct Condition {
    std::vector<std::string_view> path;
    std::string_view value;  // as text: "true", "Indexed"
    bool negated = false;    // neither live nor the new object has it
  };
  Condition condition;
  std::vector<std::string_view> path;
  std::vector<std::string_view> except;  // members of the map at `path` that may change
  std::string_view words;                // what the server says
  FactLine line;
};

// Returns the lines that hold for objects of this resource. `schema` is the one with the resource's type.
std::vector<const FixedField*> FixedFieldsOf(const Resource& resource, const Schema& schema);

}  // namespace smp
