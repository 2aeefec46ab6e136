// Fields that exclude each other, as stated in the server's OpenAPI documents (node_unions.h) or, for built-in types,
// where the documents do not state them, in facts/unions.txt.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Returns false for nullptr and null, and for "" unless fields.by_presence.
bool IsSet(const Value* member, const Union& fields);

// Returns the alternatives of which `map` sets a field (with by_presence: all fields), each once, in order.
std::vector<std::string_view> AlternativesIn(const Value& map, const Union& fields);

// Returns the alternative that `map` chooses: the one whose fields it sets, else the one named by its discriminator
// (which may have no fields), else the one of which a field is ""; returns "" unless that is exactly one.
std::string_view ChosenAlternative(const Value& map, const Union& fields);

}  // namespace smp
