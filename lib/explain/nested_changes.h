// What differs inside two values that a row shows as a whole: lists and maps that are replaced, such as the versions of
// a CRD, and documents in strings (inner_changes.h).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

struct NestedChange {
  FieldPath path;                 // below the values
  const Value* before = nullptr;  // nullptr: absent
  const Value* after = nullptr;
};

// Returns the field that names each item of both lists, such as "name"; "" if there is none. REQUIRES: the items are maps.
std::string_view NamingField(std::span<const Value> before, std::span<const Value> after);

// What the order of named items means, in a list that is compared itself and not in the values of another.
enum class OrderOfNamed { kMatters, kMeansNothing };

// Returns the changes between two maps, or two lists of maps. Items are paired by a field that names each of them, such
// as "name", else as the lines of a text are. nullopt if the values are something else, or if the order of named items
// differs and matters, so that the changes would not tell all. The result points into the values.
std::optional<std::vector<NestedChange>> NestedChanges(const Value& before, const Value& after,
                                                       OrderOfNamed order = OrderOfNamed::kMatters);

}  // namespace smp::explain
