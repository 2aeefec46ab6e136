// Resolves unquoted scalars by the core schema of YAML 1.2 (section 10.3.2 of the specification, 1.2.2), as most readers but
// Go's old one do, to tell which texts they read as something else than kubectl does.
#pragma once

#include <string_view>

#include "yaml/yaml_scalar.h"

namespace smp::yaml {

// Never a timestamp or merge key, which this schema does not have.
YamlScalar ResolveCore(std::string_view text);

}  // namespace smp::yaml
