// The compiled schema as text: what is embedded in the program (builtin.h) and kept in the disk cache. One line a type, field or
// resource, so that a diff of two servers' schemas can be read. The reader trusts nothing: ids, counts and lines are checked, every
// input gives a Schema or an error.
#ifndef SMP_SCHEMA_SERIAL_H_
#define SMP_SCHEMA_SERIAL_H_

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "schema/schema.h"

namespace smp {

std::string SerializeSchema(const Schema& schema);
Result<std::shared_ptr<const Schema>> ParseSchema(std::string_view text);

}  // namespace smp

#endif  // SMP_SCHEMA_SERIAL_H_
