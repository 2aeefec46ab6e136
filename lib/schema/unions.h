// Which fields exclude each other: what the documents of the server say (node_unions.h), and for built-in types, of
// which they say nothing, facts/unions.txt.
#ifndef SMP_SCHEMA_UNIONS_H_
#define SMP_SCHEMA_UNIONS_H_

#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Gives the types of facts/unions.txt theirs. Used by the compilers. REQUIRES: the schema has its release.
void AddBuiltinUnions(Schema& schema);

// Null says nothing, and "" only where presence counts.
bool IsSet(const Value* member, const Union& fields);

// The alternatives of which `map` has fields (where presence counts: all fields), each once, in order.
std::vector<std::string_view> AlternativesIn(const Value& map, const Union& fields);

// The one alternative that `map` is about: the one whose fields it has, else the one that its discriminator names
// (which may have no fields at all), else the one of which it has an empty text; "" if there is none, or more than one.
std::string_view ChosenAlternative(const Value& map, const Union& fields);

}  // namespace smp

#endif  // SMP_SCHEMA_UNIONS_H_
