// Checks every edited text before the editor returns it: the ordinary YAML and JSON parsers, which share no code with
// the text writer, must read exactly the values that the operations produced.
#pragma once

#include <string_view>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/value.h"

namespace smp::edit {

// Error: parse, if the text (of YAML: its first document) cannot be read; refused, with the place, if it does not say
// `wanted`. Linear in the text and in `wanted`.
Status ProveText(std::string_view text, DataFormat format, const Value& wanted);

}  // namespace smp::edit
