// What no OpenAPI document says of the built-in types, but the server does: facts/duplicates.txt (two items of one
// identity), facts/defaults.txt (values that it adds), facts/zeros.txt (that it drops). Lines may
// hold for some releases only (fact_lines.h).
#ifndef SMP_SCHEMA_FACTS_BUILTIN_FACTS_H_
#define SMP_SCHEMA_FACTS_BUILTIN_FACTS_H_

#include "schema/schema.h"

namespace smp {

// Used by the compilers. REQUIRES: the schema has its release.
void AddBuiltinFacts(Schema& schema);

}  // namespace smp

#endif  // SMP_SCHEMA_FACTS_BUILTIN_FACTS_H_
