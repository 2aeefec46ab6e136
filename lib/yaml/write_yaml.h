// YAML out.
#pragma once

#include <string>

#include "value/value.h"

namespace smp::yaml {

// In kubectl's style: two spaces, list items not indented below their key, members sorted, strings quoted where
// YAML 1.1 or 1.2 would read them as anything else, literal blocks for text with line ends. Ends with a newline.
std::string WriteYaml(const Value& value);

}  // namespace smp::yaml
