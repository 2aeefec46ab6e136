// Writes YAML.
#pragma once

#include <string>

#include "value/value.h"

namespace smp::yaml {

// Returns the value as YAML in kubectl's style: two spaces, list items not indented below their key, sorted members,
// quotes where YAML 1.1 or 1.2 would not read a string, literal blocks for multi-line text. Ends with a newline.
std::string WriteYaml(const Value& value);

// The same for people: what a terminal does not show, such as bidirectional overrides, is escaped, too. It is still YAML
// with the same meaning.
std::string WriteVisibleYaml(const Value& value);

}  // namespace smp::yaml
