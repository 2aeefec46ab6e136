// Fields that give rights (privileges.txt).
#pragma once

#include <string_view>

#include "schema/facts/fact_lines.h"
#include "schema/schema.h"

namespace smp {

// One line of privileges.txt.
struct Privilege {
  std::string_view field;    // "-": any field of the type
  std::string_view manager;  // whose duty it is to set the field; "-": nobody's
  FactLine line;
};

// Returns the line about a field of the type, or about the type as a whole; nullptr if there is none. `field`: "-" for a
// value of the type itself.
const Privilege* FindPrivilege(const Schema& schema, TypeId type, std::string_view field);

}  // namespace smp
