// Equal types made one. The documents of a server repeat what they share (ObjectMeta stands in each, PodSpec in three),
// so the schema merged from all of them is several times as large as it need be.
#ifndef SMP_SCHEMA_MINIMIZE_H_
#define SMP_SCHEMA_MINIMIZE_H_

#include "schema/schema.h"

namespace smp {

// Says of every kind and path of fields what `schema` says. Types are one if their names and all that can be reached
// from them agree.
Schema Minimized(const Schema& schema);

}  // namespace smp

#endif  // SMP_SCHEMA_MINIMIZE_H_
