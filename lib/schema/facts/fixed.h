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
    std::string_view value;  // as text: "true", "Indexed"; "*": any value
    // Which have it: live, live and the outcome, or neither of them.
    enum class When { kLive, kBoth, kNeither } when = When::kLive;
  };
  // What of the value at `path` is fixed.
  enum class Part {
    kWhole,     // all of it, but for the members `except`
    kEachItem,  // all of each item, but for its members `except`; the server pairs items by their positions
    kCount,     // the number of items
    kSet        // the items, in any order
  };
  Condition condition;
  std::vector<std::string_view> path;
  Part part = Part::kWhole;
  std::vector<std::string_view> except;
  std::string_view words;  // what the server says
  FactLine line;
};

// Returns the lines that hold for objects of this resource. `schema` is the one with the resource's type.
std::vector<const FixedField*> FixedFieldsOf(const Resource& resource, const Schema& schema);

}  // namespace smp
