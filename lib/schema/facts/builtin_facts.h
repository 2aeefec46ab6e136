// Facts about built-in types that no OpenAPI document states: facts/unions.txt (fields that exclude each other), facts/duplicates.txt (what the server does with duplicate
// items), facts/defaults.txt (values that it adds), facts/zeros.txt (values that it drops). A line may hold for some
// releases only (fact_lines.h). Also: the quantities of a core ResourceList are stored rounded up to thousandths (Type::rounds_to_milli).
#pragma once

#include <optional>
#include <string_view>

#include "schema/schema.h"

namespace smp {

// Used by the compilers. REQUIRES: the schema has its release.
void AddBuiltinFacts(Schema& schema);

// Returns true if facts/defaults.txt states the default of the field at `path` ("a.b") below a type.
bool IsDefaultFact(std::string_view type, std::string_view path, const std::optional<Release>& release);

}  // namespace smp
