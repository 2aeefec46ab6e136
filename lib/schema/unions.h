// Fields that exclude each other, as stated by the server's documents (node_unions.h) or, for built-in types, about
// which these say nothing, by facts/unions.txt.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Returns false for null, and for "" unless presence counts.
bool IsSet(const Value* member, const Union& fields);

// The alternatives of which `map` has fields (where presence counts: all fields), each once, in order.
std::vector<std::string_view> AlternativesIn(const Value& map, const Union& fields);

// The one alternative that `map` is about: the one whose fields it has, else the one that its discriminator names
// (which may have no fields at all), else the one of which it has an empty text; "" if there is none, or more than one.
std::string_view ChosenAlternative(const Value& map, const Union& fields);

}  // namespace smp
