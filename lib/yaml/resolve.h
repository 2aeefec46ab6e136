// Resolves a scalar by its tag, style and text to null, bool, int, float or string, by YAML 1.1 like goyaml.
#pragma once

#include "base/result.h"
#include "value/document.h"
#include "yaml/events.h"
#include "yaml/yaml_scalar.h"

namespace smp::yaml {

// Returns the scalar's type and value. Strings are views of the event's text, or of `arena` if they had to be decoded
// (!!binary). Error: parse, if the text does not fit its tag. REQUIRES: the event is kScalar.
Result<YamlScalar> Resolve(const Event& scalar, Arena& arena);

// Returns true if the scalar, as a key, is the merge key `<<`.
bool IsMergeKey(const Event& scalar);

}  // namespace smp::yaml
