// Facts about built-in types that no OpenAPI document states: facts/unions.txt (fields that exclude each other), facts/duplicates.txt (what the server does with duplicate
// items), facts/defaults.txt (values that it adds), facts/zeros.txt (values that it drops). A line may hold for some
// releases only (fact_lines.h).
#pragma once

#include "schema/schema.h"

namespace smp {

// Used by the compilers. REQUIRES: the schema has its release.
void AddBuiltinFacts(Schema& schema);

}  // namespace smp
