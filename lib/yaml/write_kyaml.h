// Writes KYAML, the flavour of YAML that kubectl -o kyaml prints (KEP-5295): maps in {}, lists in [], strings in double
// quotes, a comma after each item. Every YAML parser reads it.
#pragma once

#include <string>

#include "value/value.h"

namespace smp::yaml {

// Returns the value as a KYAML document: it begins with a line `---` and ends with a newline.
std::string WriteKyaml(const Value& value);

}  // namespace smp::yaml
