// What a scalar is by its tag, style and text: null, bool, int, float or string, by YAML 1.1 as goyaml resolves it.
#pragma once

#include "base/result.h"
#include "value/document.h"
#include "yaml/events.h"
#include "yaml/yaml_scalar.h"

namespace smp::yaml {

// Strings are views of the event's text, or of `arena` if they had to be decoded (!!binary). Error: parse, for text
// that does not fit its tag. REQUIRES: a scalar.
Result<YamlScalar> Resolve(const Event& scalar, Arena& arena);

// True for `<<` as a key that merges.
bool IsMergeKey(const Event& scalar);

}  // namespace smp::yaml
